//===- TensorFiles.h - Values in files --------------------------*- C++ -*-===//
//
// Inputs and results of onnx-run: .npy and .npz files, and the messages of ONNX's test
// data (`input_0.pb`: a tensor, a sequence or an optional, as the model's type
// says).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNX_RUN_TENSORFILES_H
#define ONNXFOLD_TOOLS_ONNX_RUN_TENSORFILES_H

#include "Signature.h"
#include "onnxfold/constprop/FoldResult.h"

namespace onnxfold {

/// By the end of its name: `.npy`, `.npz`, else a message. Of an archive it is
/// the array of the value's name, or, for a sequence, NAME.0, NAME.1 ...
llvm::Expected<FoldedValue> readValue(llvm::StringRef file,
                                      const ValueSignature &type);

/// DIR/<prefix>_<i>.pb for each type, in their order.
llvm::Expected<std::vector<FoldedValue>>
readTestData(llvm::StringRef folder, llvm::StringRef prefix,
             llvm::ArrayRef<ValueSignature> types);

/// A message in `file`.
llvm::Error writeMessage(llvm::StringRef file, const FoldedValue &value,
                         const ValueSignature &type);

/// `x: f32[2,2] [[1, 2], [3, 4]]`; tensors of more than `limit` elements
/// without the elements.
std::string printedValue(const FoldedValue &value, const ValueSignature &type,
                         int64_t limit);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNX_RUN_TENSORFILES_H
