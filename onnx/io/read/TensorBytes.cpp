//===- TensorBytes.cpp - Elements of tensors in a file --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/TensorBytes.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/widenum/Packing.h"

#include <cassert>
#include <cstring>
#include <protozero/varint.hpp>

using namespace llvm;

namespace onnxfold {

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

std::string encodeString(StringRef text) { return encodeTextField(6, text); }

uint64_t encodedStringSize(uint64_t bytes) {
  return 1 + protozero::length_of_varint(bytes) + bytes;
}

} // namespace onnxfold
