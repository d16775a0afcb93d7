//===- CompiledBytes.cpp - Elements as compiled code has them -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/evaluation/CompiledBytes.h"
#include <bit>
#include <cstring>

using namespace onnxfold;

/// Bits of an element that are not all of its bytes; 0 for other types.
static unsigned narrowBits(DataType type) {
  unsigned bits = bitWidth(type);
  return type != DataType::Bool && bits < 8 ? bits : 0;
}

Elements onnxfold::toCompiledBytes(const Elements &elements) {
  unsigned narrow = narrowBits(elements.type());
  Elements whole = elements.materialize();
  constexpr uintptr_t alignment = 64;
  auto address = std::bit_cast<uintptr_t>(whole.residentBytes());
  if (!narrow && address && address % alignment == 0)
    return whole;
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(whole.bytes());
  if (whole.bytes())
    whole.read(buffer->data());
  if (narrow)
    for (char &byte :
         llvm::MutableArrayRef<char>(buffer->data(), buffer->size()))
      byte &= (1 << narrow) - 1;
  return Elements::fromBuffer(whole.type(), whole.shape(), buffer);
}

Elements
onnxfold::fromCompiledBytes(DataType type, ShapeRef shape,
                            llvm::IntrusiveRefCntPtr<HeapBuffer> buffer) {
  unsigned narrow = narrowBits(type);
  if (narrow && typeClass(type) == TypeClass::Signed)
    for (char &byte :
         llvm::MutableArrayRef<char>(buffer->data(), buffer->size()))
      byte = static_cast<char>(static_cast<signed char>(byte << (8 - narrow)) >>
                               (8 - narrow));
  return Elements::fromBuffer(type, shape, buffer);
}

MemrefDescriptor::MemrefDescriptor(const void *data, ShapeRef shape) {
  auto address = std::bit_cast<int64_t>(data);
  words = {address, address, 0};
  words.append(shape.begin(), shape.end());
  words.append(shape.size(), 1);
  for (size_t axis = shape.size(), stride = 1; axis-- > 0;) {
    words[3 + shape.size() + axis] = stride;
    stride *= shape[axis];
  }
}
