//===- TensorBytes.cpp - Bytes of tensors: decoding and encoding ----------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/TensorBytes.h"
#include "onnxfold/widenum/Packing.h"

#include <cassert>
#include <cstring>
#include <protozero/pbf_writer.hpp>
#include <utility>

using namespace llvm;

namespace onnxfold {

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Entries of a typed field as raw_data bytes: `width` low bytes of each.
static uint64_t readVarintElements(WireReader &reader,
                                   const TensorIndex &tensor, unsigned width,
                                   MutableArrayRef<char> out) {
  uint64_t size = 0;
  readVarints(reader, tensor.ranges, tensor.typedField, [&](uint64_t value) {
    if (size + width <= out.size())
      std::memcpy(out.data() + size, &value, width); // little endian, as we are
    size += width;
  });
  return size / width;
}

static void readFixedElements(WireReader &reader, const TensorIndex &tensor,
                              unsigned width, MutableArrayRef<char> out) {
  uint64_t size = 0;
  readFixed(reader, tensor.ranges, tensor.typedField, width,
            [&](StringRef block) {
              uint64_t room = out.size() - size;
              uint64_t count = std::min<uint64_t>(block.size(), room);
              std::memcpy(out.data() + size, block.data(), count);
              size += count;
            });
}

/// Bits behind the last element are unspecified; one value gives one tensor.
static void clearTailBits(const TensorType &type, ArrayRef<int64_t> dims,
                          MutableArrayRef<char> out) {
  if (type.bits == 0 || type.bits >= 8 || out.empty())
    return;
  uint64_t used = *elementCount(dims) * type.bits % 8;
  if (used != 0)
    out.back() = char(uint8_t(out.back()) & ((1u << used) - 1));
}

Error readElements(WireReader &reader, const TensorIndex &tensor,
                   MutableArrayRef<char> out, Subject subject) {
  assert(!tensor.problem && "a tensor with a problem has no data");
  assert(tensor.data != TensorIndex::Data::External && "see ExternalData");
  const TensorType &type = *lookupTensorType(tensor.dataType);
  if (tensor.data == TensorIndex::Data::Raw) {
    reader.read(tensor.ranges.front(), out);
  } else if (tensor.data == TensorIndex::Data::Typed) {
    unsigned width = std::max(type.bits / 8, 1u) / type.entriesPerElement;
    bool isFloat = tensor.typedField == 4 || tensor.typedField == 10;
    if (isFloat) {
      readFixedElements(reader, tensor, width, out);
    } else if (type.bits < 8 && type.elementsPerEntry == 1) {
      // 6-bit floats: an entry per element, packed in raw_data only.
      std::vector<char> unpacked(*elementCount(tensor.dims));
      readVarintElements(reader, tensor, 1, unpacked);
      pack(DataType(tensor.dataType), unpacked.data(), out.data(),
           unpacked.size());
    } else {
      uint64_t expected = out.size() / width;
      uint64_t entries = readVarintElements(reader, tensor, width, out);
      if (!reader.failed() && entries != expected)
        return subject.fault()
            .has(Twine(entries) + " values")
            .expected(Twine(expected) + " for " +
                      tensorText(tensor.dataType, tensor.dims));
    }
  }
  if (Error error = reader.takeError())
    return error;
  clearTailBits(type, tensor.dims, out);
  return Error::success();
}

Error readStrings(WireReader &reader, const TensorIndex &tensor,
                  std::vector<std::string> &out, Subject subject) {
  assert(!tensor.problem && "a tensor with a problem has no data");
  out.clear();
  WireField field;
  for (ByteRange run : tensor.ranges) {
    WireCursor cursor(reader, run, {"string_data"});
    while (cursor.next(field)) {
      std::string &text = out.emplace_back(field.body().size(), '\0');
      reader.read(field.body(), {text.data(), text.size()});
    }
  }
  if (Error error = reader.takeError())
    return error;
  uint64_t expected = *elementCount(tensor.dims);
  if (out.size() != expected)
    return subject.fault()
        .has(Twine(out.size()) + " strings")
        .expected(Twine(expected) + " for " +
                  tensorText(tensor.dataType, tensor.dims));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

static void addVarint(std::string &bytes, uint64_t value) {
  protozero::add_varint_to_buffer(&bytes, value);
}

/// Tag and length of a length-delimited field.
static void addHead(std::string &bytes, uint32_t number, uint64_t size) {
  addVarint(bytes, uint64_t(number) << 3 | uint64_t(WireType::Length));
  addVarint(bytes, size);
}

/// Puts a field of `number` around a framed message whose hole has `holeSize`
/// bytes.
static void wrap(FramedBytes &bytes, uint32_t number, uint64_t holeSize) {
  std::string head;
  addHead(head, number, bytes.before.size() + holeSize + bytes.after.size());
  bytes.before.insert(0, head);
}

std::string encodeFieldHead(uint32_t number, uint64_t size) {
  std::string bytes;
  addHead(bytes, number, size);
  return bytes;
}

std::string encodeFieldTag(uint32_t number) {
  std::string bytes;
  addVarint(bytes, uint64_t(number) << 3 | uint64_t(WireType::Length));
  return bytes;
}

std::string encodeVarintField(uint32_t number, uint64_t value) {
  std::string bytes;
  addVarint(bytes, uint64_t(number) << 3 | uint64_t(WireType::Varint));
  addVarint(bytes, value);
  return bytes;
}

std::string encodeTextField(uint32_t number, StringRef text) {
  std::string bytes;
  addHead(bytes, number, text.size());
  bytes.append(text.data(), text.size());
  return bytes;
}

std::string encodeEntryField(uint32_t number, StringRef key, StringRef value) {
  return encodeTextField(number,
                         encodeTextField(1, key) + encodeTextField(2, value));
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
  addHead(bytes.before, 9, rawSize);
  return bytes;
}

std::string encodeString(StringRef text) { return encodeTextField(6, text); }

uint64_t encodedStringSize(uint64_t bytes) {
  return 1 + protozero::length_of_varint(bytes) + bytes;
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
