//===- RawData.cpp - The bytes of DenseElementsAttr -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/RawData.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "llvm/Config/llvm-config.h"
#include <cstring>

using namespace onnxfold;

// What MLIR 23 changes is here and in rawDataBytes() and hasRawForm(): i1 is no
// longer packed in the raw buffer, but takes a byte of 0 or 1, which is our form;
// and types of dialects may have a raw form of their own. Then: hasRawForm() holds
// for Bool, rawDataBytes() has no case for it, and unpackBools() and the packing in
// toRawData() go. A DenseElementsAttr of a dialect's type is one of strings only if
// it is a DenseStringElementsAttr: fromAttribute() (AttributeConversion.cpp) takes
// the others for DataType::Undefined. DenseIntOrFPElementsAttr, which no source
// names, is called DenseTypedElementsAttr. The attribute's text keeps its form. The
// plugin (upstream/plugin/Plugin.cpp) takes MLIR_PLUGIN_API_VERSION from MLIR. A
// new operation of a dialect shows in tests/upstream/OperationsTest.cpp.
static_assert(LLVM_VERSION_MAJOR == 22,
              "the raw buffers of DenseElementsAttr are those of MLIR 22");

static Elements unpackBools(ShapeRef shape, const Buffer &buffer,
                            const char *packed, bool splat) {
  if (splat)
    return Elements::splat<bool>(shape, buffer.size() != 0 && packed[0] & 1);
  return Elements::build<bool>(shape, [&](llvm::MutableArrayRef<bool> out) {
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = packed[i / 8] >> (i % 8) & 1;
  });
}

/// A byte with the low bits of `byte`, extended as elements of the type are.
static char extended(DataType type, char byte) {
  unsigned unused = 8 - bitWidth(type);
  uint8_t high = uint8_t(byte) << unused;
  return isSigned(type) ? char(int8_t(high) >> unused) : char(high >> unused);
}

Elements onnxfold::fromBytes(DataType type, ShapeRef shape, BufferRef buffer) {
  if (hasRawForm(type))
    return Elements::fromBuffer(type, shape, std::move(buffer));
  BufferPin pin(buffer);
  uint64_t count = numElements(shape);
  auto correct = [&](char byte) {
    return type == DataType::Bool ? char(byte != 0) : extended(type, byte);
  };
  auto isCorrect = [&](char byte) { return byte == correct(byte); };
  if (std::all_of(pin.data(), pin.data() + count, isCorrect))
    return Elements::fromBuffer(type, shape, std::move(buffer));
  auto copy = llvm::makeIntrusiveRefCnt<HeapBuffer>(count);
  std::transform(pin.data(), pin.data() + count, copy->data(), correct);
  return Elements::fromBuffer(type, shape, copy);
}

Elements onnxfold::fromRawData(DataType type, ShapeRef shape, BufferRef buffer,
                               bool splat) {
  if (type == DataType::Bool) {
    BufferPin pin(buffer);
    return unpackBools(shape, *buffer, pin.data(), splat);
  }
  if (splat)
    return fromBytes(type, {}, std::move(buffer)).expand(shape);
  return fromBytes(type, shape, std::move(buffer));
}

void onnxfold::toRawData(DataType type, const char *elements, int64_t count,
                         char *out) {
  if (type == DataType::Bool) {
    std::memset(out, 0, rawDataBytes(type, count));
    for (int64_t i = 0; i < count; ++i)
      out[i / 8] |= elements[i] << (i % 8);
    return;
  }
  std::memcpy(out, elements, count * byteWidth(type));
  if (isSubByte(type))
    for (int64_t i = 0; i < count; ++i)
      out[i] &= char((1u << bitWidth(type)) - 1);
}

std::vector<char> onnxfold::toRawBuffer(const Elements &elements) {
  DataType type = elements.type();
  int64_t count = elements.size();
  std::vector<char> result(rawDataBytes(type, count));
  if (hasRawForm(type)) {
    elements.read(result.data());
    return result;
  }
  constexpr int64_t block = 4096; // a multiple of 8: whole bytes of i1
  char bytes[block];
  Elements::Reader reader(elements);
  for (int64_t i = 0; i < count; i += block) {
    int64_t n = std::min(block, count - i);
    reader.read(i, n, bytes);
    toRawData(type, bytes, n, result.data() + rawDataBytes(type, i));
  }
  return result;
}
