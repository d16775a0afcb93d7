//===- TensorFiles.h - Values in files --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads inputs of onnx-run from .npy and .npz files, or from the messages of
// ONNX's test data (`input_0.pb`: a tensor, a sequence or an optional, by the
// model's type). Writes results as messages.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VALUES_TENSORFILES_H
#define ONNXFOLD_ONNX_VALUES_TENSORFILES_H

#include "onnxfold/constprop/FoldResult.h"
#include "onnxfold/onnx/programs/Signature.h"

namespace onnxfold {

/// Reads a file by its extension: `.npy`, `.npz`, else a message. The value in
/// an archive is the array of its name, or, for a sequence, NAME.0, NAME.1 ...
llvm::Expected<FoldedValue> readValue(llvm::StringRef file,
                                      const ValueSignature &type);

/// Reads DIR/<prefix>_<i>.pb for each type, in their order.
llvm::Expected<std::vector<FoldedValue>>
readTestData(llvm::StringRef folder, llvm::StringRef prefix,
             llvm::ArrayRef<ValueSignature> types);

/// Writes a message to `file`.
llvm::Error writeMessage(llvm::StringRef file, const FoldedValue &value,
                         const ValueSignature &type);

/// The value as text: `x: f32[2,2] [[1, 2], [3, 4]]`, without the elements of
/// tensors that have more than `limit`.
std::string printedValue(const FoldedValue &value, const ValueSignature &type,
                         int64_t limit);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VALUES_TENSORFILES_H
