//===- SortKeys.cpp - The order of elements as integers -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/internal/SortKeys.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// The type whose order is that of `type`: bools and integers narrower than a
/// byte are the bytes that they lie in, small floats are widened.
static DataType orderedAs(DataType type) {
  switch (typeClass(type)) {
  case TypeClass::Bool:
    return DataType::UInt8;
  case TypeClass::Signed:
    return isSubByte(type) ? DataType::Int8 : type;
  case TypeClass::Unsigned:
    return isSubByte(type) ? DataType::UInt8 : type;
  case TypeClass::Float:
    return type;
  case TypeClass::SmallFloat:
    return DataType::Float32;
  default:
    return DataType::Undefined;
  }
}

bool ops::hasSortKeys(DataType type) {
  return orderedAs(type) != DataType::Undefined;
}

static DataType signedOfWidth(unsigned bytes) {
  return bytes == 1   ? DataType::Int8
         : bytes == 2 ? DataType::Int16
         : bytes == 4 ? DataType::Int32
                      : DataType::Int64;
}

SortKeys::SortKeys(const Elements &x, bool descending)
    : reader(x), size(x.size()), ordered(orderedAs(x.type())),
      descending(descending) {
  from = typeClass(x.type()) == TypeClass::SmallFloat ? x.type() : ordered;
  keyType = signedOfWidth(byteWidth(ordered));
  needsConversion = descending || !isSigned(ordered);
}

template <class Key>
static void turn(const void *in, void *keys, int64_t count, Key mask) {
  auto *from = static_cast<const Key *>(in);
  auto *to = static_cast<Key *>(keys);
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i] ^ mask;
}

/// The bits of IEEE floats are sign and magnitude; `infinity` is the largest
/// magnitude that is not NaN.
template <class Key>
static void keysOfFloats(const void *in, void *keys, int64_t count,
                         Key infinity, Key mask) {
  auto *from = static_cast<const Key *>(in);
  auto *to = static_cast<Key *>(keys);
  constexpr Key most = std::numeric_limits<Key>::max();
  for (int64_t i = 0; i < count; ++i) {
    Key sign = from[i] >> (8 * sizeof(Key) - 1);
    Key magnitude = from[i] & most;
    Key key = (magnitude ^ sign) - sign;
    to[i] = (magnitude > infinity ? most : key) ^ mask;
  }
}

void SortKeys::convert(const void *in, void *keys, int64_t count) const {
  visitSortKey(keyType, [&](auto tag) {
    using Key = typename decltype(tag)::type;
    Key mask = descending ? Key(-1) : Key(0);
    if (isUnsigned(ordered))
      mask ^= std::numeric_limits<Key>::min();
    if (isInteger(ordered))
      return atCpuLevel([&] { turn<Key>(in, keys, count, mask); });
    uint64_t infinity = ordered == DataType::Float16    ? 0x7c00
                        : ordered == DataType::BFloat16 ? 0x7f80
                        : ordered == DataType::Float32  ? 0x7f800000
                                                        : 0x7ff0000000000000;
    atCpuLevel(
        [&] { keysOfFloats<Key>(in, keys, count, Key(infinity), mask); });
  });
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// Up to this many items a comparison sort is faster.
static constexpr int64_t fewItems = 256;
/// Items that one thread counts and distributes at a time.
static constexpr int64_t pieceItems = 256 << 10;

/// One digit after the other from the lowest, stable. Every piece knows where
/// its items with a digit are written, so that pieces are distributed
/// independently.
template <class Item>
static Item *radixSort(Item *from, Item *to, int64_t count, unsigned digits) {
  int64_t pieces = llvm::divideCeil(count, pieceItems);
  std::vector<std::array<int64_t, 256>> places(pieces);
  auto forEachPiece = [&](auto f) {
    parallelFor(pieces, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p)
        f(places[p], p * pieceItems, std::min(count, (p + 1) * pieceItems));
    });
  };
  for (unsigned digit = 0; digit < digits; ++digit) {
    forEachPiece([&](auto &counts, int64_t first, int64_t last) {
      counts.fill(0);
      for (int64_t i = first; i < last; ++i)
        ++counts[from[i].digit(digit)];
    });
    int64_t next = 0, longest = 0;
    for (int64_t value = 0; value < 256; ++value) {
      int64_t first = next;
      for (auto &place : places)
        place[value] = std::exchange(next, next + place[value]);
      longest = std::max(longest, next - first);
    }
    if (longest == count)
      continue; // all the same
    forEachPiece([&](auto &places, int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        to[places[from[i].digit(digit)]++] = from[i];
    });
    std::swap(from, to);
  }
  return from;
}

template <class Item>
static Item *sortAny(Item *items, Item *scratch, int64_t count,
                     DataType keyType) {
  if (count > fewItems)
    return radixSort(items, scratch, count, byteWidth(keyType));
  std::sort(items, items + count);
  return items;
}

PackedItem *ops::sortItems(PackedItem *items, PackedItem *scratch,
                           int64_t count, DataType keyType) {
  return sortAny(items, scratch, count, keyType);
}

WideItem *ops::sortItems(WideItem *items, WideItem *scratch, int64_t count,
                         DataType keyType) {
  return sortAny(items, scratch, count, keyType);
}
