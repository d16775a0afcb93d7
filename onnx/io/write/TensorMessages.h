//===- TensorMessages.h - New tensors as messages -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Encodes new tensors, initializers and Constant nodes: fields in the order of
// their numbers, as protobuf's own library does it. If a message contains a
// large value, the bytes before and after it are returned, and the caller
// inserts a Payload between them. TensorBytes.h has the layout of elements.
//
// Thread safety: functions without state.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_TENSORMESSAGES_H
#define ONNXFOLD_ONNX_IO_WRITE_TENSORMESSAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace onnxfold {

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

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_TENSORMESSAGES_H
