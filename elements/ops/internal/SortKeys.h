//===- SortKeys.h - The order of elements as integers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// sort, topK and unique compare keys. The key of an element is a signed integer
// of the element's width that orders as the element does, so that one loop per
// width serves all types. All NaNs have the same key, which is above that of
// infinity; 0 and -0 have the same key. For descending order all keys are
// inverted.
//
//   SortKeys keys(rows, descending);            // shared by all threads
//   visitSortKey(keys.type(), [&](auto tag) {
//     using Key = typename decltype(tag)::type;
//     SortKeys::Window<Key> window(keys);       // one per thread
//     const Key *row = window.get(first, count);
//   });
//
// sortItems sorts keys together with the numbers of their elements. Among equal
// keys the lower number comes first.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_SORTKEYS_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_SORTKEYS_H

#include "onnxfold/elements/ops/internal/Window.h"
#include "onnxfold/widenum/Dispatch.h"
#include <limits>

namespace onnxfold::ops {

/// Whether elements of the type have keys: numbers of every width and bool
/// have; complex numbers, strings and Opaque do not.
bool hasSortKeys(DataType type);

/// How to read the keys of one tensor.
class SortKeys {
public:
  /// REQUIRES: hasSortKeys(x.type()).
  SortKeys(const Elements &x, bool descending);

  /// Int8, Int16, Int32 or Int64.
  DataType type() const { return keyType; }
  /// The key of NaN, which no other element of a float type has.
  template <class Key> Key nan() const {
    return descending ? std::numeric_limits<Key>::min()
                      : std::numeric_limits<Key>::max();
  }

  template <class Key> class Window;

private:
  void convert(const void *in, void *keys, int64_t count) const;

  Elements::Reader reader;
  int64_t size;
  DataType from, ordered; // of the bytes that are read; of what is compared
  DataType keyType;
  bool descending, needsConversion;
};

/// The keys of ranges of the tensor. A range is valid until the next call.
template <class Key> class SortKeys::Window {
public:
  explicit Window(const SortKeys &keys)
      : keys(keys), elements(keys.reader, keys.size, keys.from, keys.ordered) {}

  const Key *get(int64_t first, int64_t count) {
    const char *in = elements.get(first, count);
    if (!keys.needsConversion)
      return reinterpret_cast<const Key *>(in);
    if (!converted || converted->size() < count * sizeof(Key))
      converted = llvm::makeIntrusiveRefCnt<HeapBuffer>(count * sizeof(Key));
    keys.convert(in, converted->data(), count);
    return reinterpret_cast<const Key *>(converted->data());
  }

private:
  const SortKeys &keys;
  ops::Window elements;
  llvm::IntrusiveRefCntPtr<HeapBuffer> converted;
};

/// Calls visitor with the TypeTag of Int8, Int16, Int32 or Int64.
template <class V> void visitSortKey(DataType keyType, V &&visitor) {
  switch (byteWidth(keyType)) {
  case 1:
    return visitor(TypeTag<int8_t>{});
  case 2:
    return visitor(TypeTag<int16_t>{});
  case 4:
    return visitor(TypeTag<int32_t>{});
  default:
    return visitor(TypeTag<int64_t>{});
  }
}

/// The key as an unsigned integer of its width, in the same order.
template <class Key> std::make_unsigned_t<Key> biasedKey(Key key) {
  using U = std::make_unsigned_t<Key>;
  return U(U(key) ^ U(std::numeric_limits<Key>::min()));
}

/// A key of up to 32 bits and the number of its element, in one integer that
/// orders by the key, then by the number. REQUIRES: at most 2^32 elements.
struct PackedItem {
  uint64_t bits;
  static constexpr int64_t most = int64_t(1) << 32;

  PackedItem() = default;
  template <class Key>
  PackedItem(Key key, int64_t number)
      : bits(uint64_t(biasedKey(key)) << 32 | uint32_t(number)) {}
  int64_t number() const { return uint32_t(bits); }
  uint8_t digit(unsigned i) const { return bits >> (32 + 8 * i); }
  bool sameKey(PackedItem other) const {
    return bits >> 32 == other.bits >> 32;
  }
  friend bool operator<(PackedItem a, PackedItem b) { return a.bits < b.bits; }
};

/// The same for keys and numbers of every width.
struct WideItem {
  uint64_t biased;
  int64_t index;

  WideItem() = default;
  template <class Key>
  WideItem(Key key, int64_t number) : biased(biasedKey(key)), index(number) {}
  int64_t number() const { return index; }
  uint8_t digit(unsigned i) const { return biased >> (8 * i); }
  bool sameKey(WideItem other) const { return biased == other.biased; }
  friend bool operator<(WideItem a, WideItem b) {
    return a.biased != b.biased ? a.biased < b.biased : a.index < b.index;
  }
};

/// Calls visitor with the TypeTag of the smallest item for keys of `keyType`
/// and `count` numbers.
template <class V>
void visitSortItem(DataType keyType, int64_t count, V &&visitor) {
  if (keyType == DataType::Int64 || count > PackedItem::most)
    return visitor(TypeTag<WideItem>{});
  return visitor(TypeTag<PackedItem>{});
}

/// Sorts `count` items of keys of `keyType`. Returns the address of the result:
/// `items` or `scratch`, which has room for as many items. Long lists are
/// sorted on several threads. REQUIRES: `items` are in the order of their
/// numbers.
PackedItem *sortItems(PackedItem *items, PackedItem *scratch, int64_t count,
                      DataType keyType);
WideItem *sortItems(WideItem *items, WideItem *scratch, int64_t count,
                    DataType keyType);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_SORTKEYS_H
