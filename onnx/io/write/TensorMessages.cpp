//===- TensorMessages.cpp - New tensors as messages -----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/write/TensorMessages.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/widenum/DataType.h"

#include <protozero/pbf_writer.hpp>
#include <utility>

using namespace llvm;

namespace onnxfold {

/// Puts a field of `number` around a framed message whose hole has `holeSize`
/// bytes.
static void wrap(FramedBytes &bytes, uint32_t number, uint64_t holeSize) {
  uint64_t size = bytes.before.size() + holeSize + bytes.after.size();
  bytes.before.insert(0, encodeFieldHead(number, size));
}

std::string encodeTensorType(int32_t dataType, ArrayRef<int64_t> dims) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  for (int64_t dim : dims)
    writer.add_int64(1, dim); // TensorProto.dims is not packed
  writer.add_int32(2, dataType);
  return bytes;
}

/// The fields dims and data_type, which come first.
static std::string encodeShape(const TensorHeader &header) {
  return encodeTensorType(header.dataType, header.dims);
}

static std::string encodeName(const TensorHeader &header) {
  std::string bytes;
  if (!header.name.empty())
    bytes = encodeTextField(8, header.name);
  if (!header.provenance.empty())
    bytes += encodeEntryField(16, "onnx-fold.from", header.provenance);
  bytes += header.texts;
  return bytes;
}

/// The contents of a TensorProto around its raw bytes, or its strings.
static FramedBytes encodeTensor(const TensorHeader &header, uint64_t rawSize) {
  FramedBytes bytes{encodeShape(header), encodeName(header)};
  if (header.dataType == int32_t(DataType::String))
    return bytes;
  bytes.before += std::exchange(bytes.after, "");
  bytes.before += encodeFieldHead(9, rawSize);
  return bytes;
}

FramedBytes encodeInitializer(const TensorHeader &header, uint64_t rawSize) {
  FramedBytes bytes = encodeTensor(header, rawSize);
  wrap(bytes, 5, rawSize);
  return bytes;
}

std::string encodeExternalFields(StringRef location, uint64_t offset,
                                 uint64_t length) {
  std::string bytes = encodeEntryField(13, "location", location);
  bytes += encodeEntryField(13, "offset", std::to_string(offset));
  bytes += encodeEntryField(13, "length", std::to_string(length));
  protozero::pbf_writer(bytes).add_int32(14, 1); // data_location EXTERNAL
  return bytes;
}

std::string encodeRawDataHead(uint64_t rawSize) {
  return encodeFieldHead(9, rawSize);
}

static std::string encodeExternalTensor(const TensorHeader &header,
                                        StringRef location, uint64_t offset,
                                        uint64_t length) {
  return encodeShape(header) + encodeName(header) +
         encodeExternalFields(location, offset, length);
}

std::string encodeExternalInitializer(const TensorHeader &header,
                                      StringRef location, uint64_t offset,
                                      uint64_t length) {
  return encodeTextField(
      5, encodeExternalTensor(header, location, offset, length));
}

/// Wraps the contents of a tensor into the contents of attribute `value`.
static FramedBytes frameValue(FramedBytes bytes, uint64_t holeSize) {
  constexpr int tensorKind = 4; // AttributeProto.TENSOR
  wrap(bytes, 5, holeSize);     // t
  bytes.before.insert(0, encodeTextField(1, "value"));
  protozero::pbf_writer(bytes.after).add_int32(20, tensorKind);
  return bytes;
}

FramedBytes encodeValue(const TensorHeader &header, uint64_t rawSize) {
  return frameValue(encodeTensor(header, rawSize), rawSize);
}

std::string encodeExternalValue(const TensorHeader &header, StringRef location,
                                uint64_t offset, uint64_t length) {
  FramedBytes bytes = frameValue(
      {encodeExternalTensor(header, location, offset, length), std::string()},
      0);
  return bytes.before + bytes.after;
}

/// Wraps the contents of a tensor into attribute `value` and that into a node.
static FramedBytes frameConstant(const ConstantNode &node, FramedBytes tensor,
                                 uint64_t holeSize) {
  FramedBytes bytes = frameValue(std::move(tensor), holeSize);
  wrap(bytes, 5, holeSize); // attribute
  std::string names = encodeTextField(2, node.output);
  if (!node.name.empty())
    names += encodeTextField(3, node.name);
  bytes.before.insert(0, names + encodeTextField(4, "Constant"));
  wrap(bytes, node.field, holeSize);
  return bytes;
}

FramedBytes encodeConstantNode(const ConstantNode &node,
                               const TensorHeader &header, uint64_t rawSize) {
  return frameConstant(node, encodeTensor(header, rawSize), rawSize);
}

std::string encodeExternalConstantNode(const ConstantNode &node,
                                       const TensorHeader &header,
                                       StringRef location, uint64_t offset,
                                       uint64_t length) {
  FramedBytes bytes = frameConstant(
      node,
      {encodeExternalTensor(header, location, offset, length), std::string()},
      0);
  return bytes.before + bytes.after;
}

} // namespace onnxfold
