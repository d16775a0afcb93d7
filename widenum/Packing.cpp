//===- Packing.cpp - Sub-byte elements in files ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/Packing.h"

#include <algorithm>
#include <cassert>

using namespace onnxfold;

namespace {

/// The fewest whole bytes that hold whole elements, and how many.
template <unsigned width> struct Group {
  static constexpr unsigned bytes = width == 6 ? 3 : 1;
  static constexpr unsigned elements = bytes * 8 / width;
  static constexpr unsigned mask = (1u << width) - 1;
};

/// 0 leaves the number as it is; otherwise its sign bit moves to the top.
uint8_t extend(unsigned value, unsigned signBit) {
  return static_cast<uint8_t>((value ^ signBit) - signBit);
}

/// The first `bytes` bytes of a group.
unsigned readGroup(const uint8_t *packed, unsigned bytes) {
  unsigned group = 0;
  for (unsigned j = 0; j < bytes; ++j)
    group |= static_cast<unsigned>(packed[j]) << (8 * j);
  return group;
}

/// Elements [begin, end) of one group; touches only the bytes they lie in.
template <unsigned width>
void unpackPart(const uint8_t *packed, uint8_t *out, unsigned begin,
                unsigned end, unsigned signBit) {
  unsigned group = readGroup(packed, (end * width + 7) / 8);
  for (unsigned j = begin; j < end; ++j)
    out[j - begin] =
        extend((group >> (j * width)) & Group<width>::mask, signBit);
}

template <unsigned width>
void unpackAll(const uint8_t *packed, uint8_t *out, size_t first, size_t count,
               unsigned signBit) {
  constexpr unsigned bytes = Group<width>::bytes;
  constexpr unsigned elements = Group<width>::elements;
  packed += first / elements * bytes;
  if (unsigned begin = first % elements) {
    auto end = static_cast<unsigned>(std::min<size_t>(begin + count, elements));
    unpackPart<width>(packed, out, begin, end, signBit);
    packed += bytes;
    out += end - begin;
    count -= end - begin;
  }
  for (size_t i = 0; i < count / elements; ++i) {
    unsigned group = readGroup(packed + i * bytes, bytes);
    for (unsigned j = 0; j < elements; ++j)
      out[i * elements + j] =
          extend((group >> (j * width)) & Group<width>::mask, signBit);
  }
  size_t whole = count / elements * elements;
  if (whole != count)
    unpackPart<width>(packed + whole / elements * bytes, out + whole, 0,
                      static_cast<unsigned>(count - whole), signBit);
}

/// One group, or the first `elements` elements of it.
template <unsigned width>
void packGroup(const uint8_t *in, uint8_t *packed, unsigned elements) {
  unsigned group = 0;
  for (unsigned j = 0; j < elements; ++j)
    group |= (in[j] & Group<width>::mask) << (j * width);
  for (unsigned j = 0; j < (elements * width + 7) / 8; ++j)
    packed[j] = static_cast<uint8_t>(group >> (8 * j));
}

template <unsigned width>
void packAll(const uint8_t *in, uint8_t *packed, size_t count) {
  constexpr unsigned bytes = Group<width>::bytes;
  constexpr unsigned elements = Group<width>::elements;
  size_t groups = count / elements;
  for (size_t i = 0; i < groups; ++i)
    packGroup<width>(in + i * elements, packed + i * bytes, elements);
  if (auto rest = static_cast<unsigned>(count % elements))
    packGroup<width>(in + groups * elements, packed + groups * bytes, rest);
}

} // namespace

void onnxfold::unpack(DataType type, const void *packed, void *out,
                      size_t firstElement, size_t count) {
  assert(isSubByte(type) && "not a packed type");
  unsigned signBit = isSigned(type) ? 1u << (bitWidth(type) - 1) : 0;
  auto *from = static_cast<const uint8_t *>(packed);
  auto *to = static_cast<uint8_t *>(out);
  if (count == 0)
    return;
  switch (bitWidth(type)) {
  case 2:
    return unpackAll<2>(from, to, firstElement, count, signBit);
  case 4:
    return unpackAll<4>(from, to, firstElement, count, signBit);
  case 6:
    return unpackAll<6>(from, to, firstElement, count, signBit);
  }
}

void onnxfold::pack(DataType type, const void *in, void *packed, size_t count) {
  assert(isSubByte(type) && "not a packed type");
  auto *from = static_cast<const uint8_t *>(in);
  auto *to = static_cast<uint8_t *>(packed);
  switch (bitWidth(type)) {
  case 2:
    return packAll<2>(from, to, count);
  case 4:
    return packAll<4>(from, to, count);
  case 6:
    return packAll<6>(from, to, count);
  }
}
