//===- TensorBytes.h - Elements of tensors in a file ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Decodes the typed fields of a TensorProto to the bytes that raw_data would
// hold, and encodes a string as its field, for strings that are copied as they
// are.
//
// The layout of element bytes is always that of raw_data: row-major, little
// endian, one byte per bool, complex as (real, imaginary), elements of 4 and 2
// bits packed with the first one in the lowest bits and zero tail bits.
// rawDataSize() in TensorIndex.h gives the number of bytes.
//
// Thread safety: functions without state.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_TENSORBYTES_H
#define ONNXFOLD_ONNX_IO_READ_TENSORBYTES_H

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorIndex.h"

#include <string>
#include <vector>

namespace onnxfold {

/// Reads the elements of a tensor whose bytes are in the model file (raw_data
/// or typed fields) into `out`; `subject` begins the text of an error.
/// REQUIRES: the tensor has no problem, no strings and no external data; `out`
/// has its rawDataSize() bytes.
llvm::Error readElements(WireReader &reader, const TensorIndex &tensor,
                         llvm::MutableArrayRef<char> out, Subject subject);

/// Reads the elements of a tensor of strings.
/// REQUIRES: the tensor has no problem, and its data type is string.
llvm::Error readStrings(WireReader &reader, const TensorIndex &tensor,
                        std::vector<std::string> &out, Subject subject);

/// The field of a tensor that holds one string, and its size.
std::string encodeString(llvm::StringRef text);
uint64_t encodedStringSize(uint64_t bytes);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_TENSORBYTES_H
