//===- TensorFile.h - Values in files of their own --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the messages of ONNX's test data (`input_0.pb`): a TensorProto, whose
// external data is in the same folder, or a SequenceProto of tensors. Errors
// begin with the name of the file. Thread safety: any thread may call.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_TENSORFILE_H
#define ONNXFOLD_ONNX_IO_READ_TENSORFILE_H

#include "onnxfold/elements/Elements.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace onnxfold {

/// A tensor, and its name; "" if it has none.
struct NamedTensor {
  std::string name;
  Elements value;
};

llvm::Expected<NamedTensor> readTensorFile(llvm::StringRef file);
/// The same for the bytes of a TensorProto from that file.
llvm::Expected<NamedTensor> parseTensor(llvm::StringRef bytes,
                                        llvm::StringRef file);
llvm::Expected<std::vector<Elements>> readSequenceFile(llvm::StringRef file);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_TENSORFILE_H
