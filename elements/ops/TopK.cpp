//===- TopK.cpp - The largest or smallest elements of rows ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Keys (SortKeys.h) are such that the best are the smallest. Where k is small,
// a bound is found first: the k-th smallest of the minima of interleaved lanes.
// At least k elements are not above it, and few more; only these are sorted.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/internal/BoolBits.h"
#include "onnxfold/elements/ops/internal/SortKeys.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Longer rows are searched in pieces of this length.
static constexpr int64_t longRow = 256 << 10;

/// Up to so many numbers are compared each with each, which takes vectors and
/// no branch.
static constexpr size_t few = 64;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// minima[j] = the smallest of keys[j], keys[j + lanes], ...
template <class Key, class Lanes>
static void laneMinima(const Key *keys, int64_t n, Key *minima, Lanes lanes) {
  std::copy_n(keys, lanes, minima);
  int64_t first = lanes;
  for (; first + lanes <= n; first += lanes)
    for (int64_t j = 0; j < lanes; ++j)
      minima[j] = std::min(minima[j], keys[first + j]);
  for (int64_t j = 0; j < n - first; ++j)
    minima[j] = std::min(minima[j], keys[first + j]);
}

/// The k-th smallest of `few` values; k <= 64 fits every Key.
template <class Key> static Key kthOfFew(const Key *values, Key k) {
  Key smaller[few] = {}, result = std::numeric_limits<Key>::min();
  for (size_t j = 0; j < few; ++j)
    for (size_t i = 0; i < few; ++i)
      smaller[i] += Key(values[j] < values[i]);
  for (size_t i = 0; i < few; ++i) {
    Key candidate =
        smaller[i] < k ? values[i] : std::numeric_limits<Key>::min();
    result = std::max(result, candidate);
  }
  return result;
}

/// Whether any of `few` keys is at most `bound`, and which.
template <class Key> static bool anyUpTo(const Key *keys, Key bound) {
  Key any = 0;
  for (size_t i = 0; i < few; ++i)
    any |= keys[i] <= bound ? Key(-1) : Key(0);
  return any != 0;
}
template <class Key> static uint64_t allUpTo(const Key *keys, Key bound) {
  bool found[few];
  for (size_t i = 0; i < few; ++i)
    found[i] = keys[i] <= bound;
  return bitsOfBools(found);
}

/// Sorts items, of which none are equal.
template <class Item> static void sortFew(Item *items, size_t count) {
  Item sorted[few];
  for (size_t i = 0; i < count; ++i) {
    size_t smaller = 0;
    for (size_t j = 0; j < count; ++j)
      smaller += items[j] < items[i];
    sorted[smaller] = items[i];
  }
  std::copy_n(sorted, count, items);
}

/// The first k items are the smallest, in order.
template <class Item>
static void sortSmallest(llvm::MutableArrayRef<Item> items, int64_t k) {
  if (items.size() <= few)
    return sortFew(items.data(), items.size());
  auto end = items.begin() + std::min<int64_t>(k, items.size());
  if (end != items.end())
    std::nth_element(items.begin(), end, items.end());
  std::sort(items.begin(), end);
}

//===----------------------------------------------------------------------===//
// One row, or a piece of one
//===----------------------------------------------------------------------===//

namespace {
template <class Key, class Item> class BestOfRow {
public:
  BestOfRow(int64_t k, DataType keyType) : k(k), keyType(keyType) {}

  /// The best min(k, n) of n keys, in order; `first` is the number of the first
  /// key. Valid until the next call.
  llvm::ArrayRef<Item> find(const Key *keys, int64_t n, int64_t first);

private:
  Key findBound(const Key *keys, int64_t n, int64_t lanes);
  llvm::ArrayRef<Item> findBelowBound(const Key *keys, int64_t n, int64_t first,
                                      int64_t lanes);
  Item *reserve(int64_t count) {
    if (!memory || memory->size() < count * sizeof(Item))
      memory = llvm::makeIntrusiveRefCnt<HeapBuffer>(count * sizeof(Item));
    return reinterpret_cast<Item *>(memory->data());
  }

  int64_t k;
  DataType keyType;
  llvm::IntrusiveRefCntPtr<HeapBuffer> memory;
  std::vector<Key> minima;
};
} // namespace

template <class Key, class Item>
llvm::ArrayRef<Item> BestOfRow<Key, Item>::find(const Key *keys, int64_t n,
                                                int64_t first) {
  int64_t lanes = llvm::alignTo(std::max<int64_t>(2 * k, few), few);
  if (2 * lanes <= n)
    return findBelowBound(keys, n, first, lanes);
  bool all = 4 * k >= n;
  Item *items = reserve(all ? 2 * n : n);
  for (int64_t i = 0; i < n; ++i)
    items[i] = Item(keys[i], first + i);
  if (all)
    items = sortItems(items, items + n, n, keyType);
  else
    sortSmallest(llvm::MutableArrayRef(items, size_t(n)), k);
  return llvm::ArrayRef(items, size_t(std::min(k, n)));
}

/// A key that at least k keys are not above.
template <class Key, class Item>
Key BestOfRow<Key, Item>::findBound(const Key *keys, int64_t n, int64_t lanes) {
  minima.resize(lanes);
  Key *values = minima.data();
  if (lanes != few) {
    atCpuLevel([=] { laneMinima(keys, n, values, lanes); });
    std::nth_element(values, values + (k - 1), values + lanes);
    return values[k - 1];
  }
  Key bound;
  atCpuLevel([&, k = k] {
    laneMinima(keys, n, values, std::integral_constant<int64_t, few>());
    bound = kthOfFew(values, Key(k));
  });
  return bound;
}

template <class Key, class Item>
llvm::ArrayRef<Item>
BestOfRow<Key, Item>::findBelowBound(const Key *keys, int64_t n, int64_t first,
                                     int64_t lanes) {
  constexpr Key lowest = std::numeric_limits<Key>::min();
  constexpr int64_t block = few;
  Key tie = findBound(keys, n, lanes), bound = tie;
  // Less than k lanes have smaller keys. Of the ties the first k are enough.
  int64_t most = k * (llvm::divideCeil(n, lanes) + 1);
  Item *items = reserve(most + k), *ties = items + most;
  int64_t count = 0, tieCount = 0;
  auto collect = [&](const Key *key, int64_t number) {
    if (*key != tie)
      items[count++] = Item(*key, number);
    else if (tieCount < k)
      ties[tieCount++] = Item(*key, number);
  };
  atCpuLevel([&, k = k] {
    int64_t i = 0;
    for (; i + block <= n; i += block) {
      if (!anyUpTo(keys + i, bound))
        continue;
      for (uint64_t word = allUpTo(keys + i, bound); word; word &= word - 1) {
        int64_t at = i + llvm::countr_zero(word);
        collect(keys + at, first + at);
      }
      if (tieCount < k)
        continue;
      if (tie == lowest)
        return;
      bound = tie - 1;
    }
    for (; i < n; ++i)
      if (keys[i] <= bound)
        collect(keys + i, first + i);
  });
  sortSmallest(llvm::MutableArrayRef(items, size_t(count)), k);
  int64_t smaller = std::min(count, k);
  std::copy_n(ties, k - smaller, items + smaller);
  return llvm::ArrayRef(items, size_t(k));
}

//===----------------------------------------------------------------------===//
// Rows and pieces of rows
//===----------------------------------------------------------------------===//

/// The numbers of the best k in each row.
template <class Key, class Item>
static void searchRows(const SortKeys &keys, int64_t rows, int64_t n, int64_t k,
                       int64_t *out) {
  int64_t grain = std::max<int64_t>(1, parallelGrain / n);
  parallelFor(rows, grain, [&](int64_t begin, int64_t end) {
    SortKeys::Window<Key> window(keys);
    BestOfRow<Key, Item> best(k, keys.type());
    for (int64_t row = begin; row < end; ++row) {
      auto found = best.find(window.get(row * n, n), n, 0);
      for (int64_t i = 0; i < k; ++i)
        out[row * k + i] = found[i].number();
    }
  });
}

/// The same, for rows of which each is a few pieces that are searched alone.
template <class Key, class Item>
static void searchPieces(const SortKeys &keys, int64_t rows, int64_t n,
                         int64_t k, int64_t *out) {
  int64_t pieces = llvm::divideCeil(n, longRow);
  std::vector<Item> found(pieces * k);
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<int64_t> counts(pieces);
    parallelFor(pieces, 1, [&](int64_t begin, int64_t end) {
      SortKeys::Window<Key> window(keys);
      BestOfRow<Key, Item> best(k, keys.type());
      for (int64_t p = begin; p < end; ++p) {
        int64_t first = p * longRow, count = std::min(longRow, n - first);
        auto items =
            best.find(window.get(row * n + first, count), count, first);
        std::copy(items.begin(), items.end(), found.begin() + p * k);
        counts[p] = items.size();
      }
    });
    // The last piece may have fewer than k.
    sortSmallest(llvm::MutableArrayRef(found).drop_back(k - counts.back()), k);
    for (int64_t i = 0; i < k; ++i)
      out[row * k + i] = found[i].number();
  }
}

static void search(const Elements &rows, int64_t k, bool largest,
                   int64_t *out) {
  if (rows.size() == 0 || k == 0)
    return;
  int64_t n = rows.shape().back();
  SortKeys keys(rows, /*descending=*/largest);
  visitSortKey(keys.type(), [&](auto keyTag) {
    using Key = typename decltype(keyTag)::type;
    visitSortItem(keys.type(), n, [&](auto itemTag) {
      using Item = typename decltype(itemTag)::type;
      // Merging the pieces must cost less than searching them.
      if (n > longRow && 64 * k <= longRow)
        searchPieces<Key, Item>(keys, rows.size() / n, n, k, out);
      else
        searchRows<Key, Item>(keys, rows.size() / n, n, k, out);
    });
  });
}

TopK ops::topK(const Elements &x, int64_t k, int64_t axis, bool largest) {
  if (!x)
    return {};
  TopK lifted;
  if (Elements values = movedInWide(x, [&](auto e) {
        lifted = topK(e[0], k, axis, largest);
        return lifted.values;
      }))
    return {values, lifted.indices};
  assert(k >= 0 && k <= x.dim(axis));
  if (!hasSortKeys(x.type()))
    return {};
  Elements rows = moveAxisLast(x, axis);
  Shape shape(rows.shape());
  shape.back() = k;
  Elements best = Elements::deferred(
      DataType::Int64, shape, rows, [rows, k, largest](char *out) {
        search(rows, k, largest, reinterpret_cast<int64_t *>(out));
      });
  // Values and indices are mostly both needed: the first one to be read keeps
  // what was found.
  Elements indices =
      Elements::deferred(DataType::Int64, shape, best,
                         [best](char *out) { best.materialize().read(out); });
  TopK result;
  result.indices = moveLastTo(indices, axis);
  result.values = Elements::deferred(
      x.type(), result.indices.shape(), {x, best}, [x, best, axis](char *out) {
        gatherElements(x, moveLastTo(best.materialize(), axis), axis).read(out);
      });
  return result;
}
