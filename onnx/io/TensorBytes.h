//===- TensorBytes.h - Bytes of tensors: decoding and encoding ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Decodes the typed fields of a TensorProto to the bytes that raw_data would
// hold, and encodes new tensors, initializers and Constant nodes.
//
// The layout of element bytes is always that of raw_data: row-major, little
// endian, one byte per bool, complex as (real, imaginary), elements of 4 and 2
// bits packed with the first one in the lowest bits and zero tail bits.
// rawDataSize() in TensorIndex.h gives the number of bytes.
//
// Messages are encoded as protobuf's own library does it: fields in the order
// of their numbers, shortest varints. If a message contains a large value, the
// bytes before and after it are returned, and the caller inserts a Payload
// between them.
//
// Thread safety: functions without state.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_TENSORBYTES_H
#define ONNXFOLD_ONNX_IO_TENSORBYTES_H

#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/TensorIndex.h"

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

/// A message with a hole for a value that is written separately.
struct FramedBytes {
  std::string before;
  std::string after;
};

/// The description of a new tensor.
struct TensorHeader {
  llvm::StringRef name;
  int32_t dataType = 0;
  llvm::ArrayRef<int64_t> dims;
  /// The value of metadata_props["onnx-fold.from"], or none.
  llvm::StringRef provenance = {};
  llvm::StringRef texts = {}; ///< whole fields doc_string and metadata_props
};

/// A whole `initializer` field of a graph, with `rawSize` bytes of raw_data, or
/// of fields of strings (encodeString), between `before` and `after`.
FramedBytes encodeInitializer(const TensorHeader &header, uint64_t rawSize);

/// The field of a tensor that holds one string, and its size.
std::string encodeString(llvm::StringRef text);
uint64_t encodedStringSize(uint64_t bytes);

/// A whole `initializer` field with external data. `location` is relative to
/// the model's folder.
std::string encodeExternalInitializer(const TensorHeader &header,
                                      llvm::StringRef location, uint64_t offset,
                                      uint64_t length);

/// The fields `external_data` and `data_location` of a TensorProto.
std::string encodeExternalFields(llvm::StringRef location, uint64_t offset,
                                 uint64_t length);
/// The bytes before those of raw_data: the field's tag and length.
std::string encodeRawDataHead(uint64_t rawSize);

/// The fields `dims` and `data_type` of a TensorProto.
std::string encodeTensorType(int32_t dataType, llvm::ArrayRef<int64_t> dims);

/// The fields of an attribute `value` that is a tensor of `rawSize` bytes of
/// raw_data, or of fields of strings, between `before` and `after`.
FramedBytes encodeValue(const TensorHeader &header, uint64_t rawSize);
/// The same with external data.
std::string encodeExternalValue(const TensorHeader &header,
                                llvm::StringRef location, uint64_t offset,
                                uint64_t length);

/// The names of a new Constant node. Its tensor has no name.
struct ConstantNode {
  llvm::StringRef output;
  llvm::StringRef name; ///< of the node; may be empty
  /// The field number of nodes in the parent: 1 in a graph, 7 in a function.
  uint32_t field = 1;
};

/// A whole node field with a Constant node, its `value` a tensor of `rawSize`
/// bytes of raw_data between `before` and `after`.
FramedBytes encodeConstantNode(const ConstantNode &node,
                               const TensorHeader &header, uint64_t rawSize);
/// The same with external data.
std::string encodeExternalConstantNode(const ConstantNode &node,
                                       const TensorHeader &header,
                                       llvm::StringRef location,
                                       uint64_t offset, uint64_t length);

/// A length-delimited field: text, or a message from its contents.
std::string encodeTextField(uint32_t number, llvm::StringRef text);
/// The tag and the length of a length-delimited field of `size` bytes.
std::string encodeFieldHead(uint32_t number, uint64_t size);

/// The tag of a length-delimited field alone.
std::string encodeFieldTag(uint32_t number);
std::string encodeVarintField(uint32_t number, uint64_t value);

/// A StringStringEntryProto as field `number`: an entry of metadata_props.
std::string encodeEntryField(uint32_t number, llvm::StringRef key,
                             llvm::StringRef value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_TENSORBYTES_H
