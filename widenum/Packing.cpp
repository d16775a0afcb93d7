//===- Packing.cpp - Sub-byte elements in files ---------------------------===//

#include "onnxfold/widenum/Packing.h"

#include <cassert>

using namespace onnxfold;

namespace {

/// Bits of the elements at bit position `bit` on: an element of 6 bits may lie
/// in two bytes, the others never do.
unsigned readBits(const uint8_t *packed, size_t bit, unsigned width) {
  unsigned inByte = bit % 8;
  unsigned value = packed[bit / 8] >> inByte;
  if (inByte + width > 8)
    value |= static_cast<unsigned>(packed[bit / 8 + 1]) << (8 - inByte);
  return value & ((1u << width) - 1);
}

uint8_t extend(unsigned value, unsigned signBit) {
  // 0 leaves the number as it is; otherwise its sign bit moves to the top.
  return static_cast<uint8_t>((value ^ signBit) - signBit);
}

/// `perByte` whole elements a byte, from a byte boundary on.
template <unsigned width>
void unpackBytes(const uint8_t *packed, uint8_t *out, size_t bytes,
                 unsigned signBit) {
  constexpr unsigned perByte = 8 / width, mask = (1u << width) - 1;
  for (size_t i = 0; i < bytes; ++i)
    for (unsigned j = 0; j < perByte; ++j)
      out[i * perByte + j] = extend((packed[i] >> (j * width)) & mask, signBit);
}

template <unsigned width>
void packBytes(const uint8_t *in, uint8_t *packed, size_t bytes) {
  constexpr unsigned perByte = 8 / width, mask = (1u << width) - 1;
  for (size_t i = 0; i < bytes; ++i) {
    unsigned byte = 0;
    for (unsigned j = 0; j < perByte; ++j)
      byte |= (in[i * perByte + j] & mask) << (j * width);
    packed[i] = static_cast<uint8_t>(byte);
  }
}

} // namespace

void onnxfold::unpack(DataType type, const void *packed, void *out,
                      size_t firstElement, size_t count) {
  assert(isSubByte(type) && "not a packed type");
  unsigned width = bitWidth(type);
  unsigned signBit = isSigned(type) ? 1u << (width - 1) : 0;
  auto *from = static_cast<const uint8_t *>(packed);
  auto *to = static_cast<uint8_t *>(out);
  // first * width would overflow only for files beyond 2^58 bytes, but whole
  // groups of eight elements are whole bytes, so take these off first.
  from += firstElement / 8 * width;
  size_t i = 0, first = firstElement % 8;
  auto unpackOne = [&] {
    to[i] = extend(readBits(from, (first + i) * width, width), signBit);
    ++i;
  };
  while (i < count && (first + i) * width % 8 != 0)
    unpackOne();
  size_t bytes = (count - i) * width / 8;
  const uint8_t *whole = from + (first + i) * width / 8;
  if (width == 4) {
    unpackBytes<4>(whole, to + i, bytes, signBit);
    i += bytes * 2;
  } else if (width == 2) {
    unpackBytes<2>(whole, to + i, bytes, signBit);
    i += bytes * 4;
  }
  while (i < count)
    unpackOne();
}

void onnxfold::pack(DataType type, const void *in, void *packed,
                    size_t count) {
  assert(isSubByte(type) && "not a packed type");
  unsigned width = bitWidth(type), mask = (1u << width) - 1;
  auto *from = static_cast<const uint8_t *>(in);
  auto *to = static_cast<uint8_t *>(packed);
  size_t i = 0;
  if (width == 4) {
    packBytes<4>(from, to, count / 2);
    i = count / 2 * 2;
  } else if (width == 2) {
    packBytes<2>(from, to, count / 4);
    i = count / 4 * 4;
  }
  to += i / 8 * width + i % 8 * width / 8;
  // What is left, or all elements of 6 bits: a stream of bits.
  unsigned pending = 0, pendingBits = 0;
  for (; i < count; ++i) {
    pending |= (from[i] & mask) << pendingBits;
    pendingBits += width;
    if (pendingBits >= 8) {
      *to++ = static_cast<uint8_t>(pending);
      pending >>= 8;
      pendingBits -= 8;
    }
  }
  if (pendingBits != 0)
    *to = static_cast<uint8_t>(pending);
}
