//===- TopK.cpp - The largest or smallest elements of rows ----------------===//
//
// Keys (SortKeys.h) are such that the best are the smallest. Where k is small,
// a bound is found first: the k-th smallest of the minima of interleaved lanes.
// At least k elements are not above it, and few more; only these are sorted.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/DataMovement.h"
#include "onnxfold/elements/Parallel.h"
#include "onnxfold/elements/Reduce.h"
#include "onnxfold/elements/SortKeys.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace onnxfold;

/// Elements that one thread takes at a time.
static constexpr int64_t pieceElements = 64 << 10;
/// Longer rows are searched in pieces of this length.
static constexpr int64_t longRow = 256 << 10;

namespace {
/// Finds the best of one row, or piece of a row.
template <class Key, class Item> class BestOfRow {
public:
  BestOfRow(int64_t k, DataType keyType) : k(k), keyType(keyType) {}

  /// The best min(k, n) of n keys, in order; `first` is the number of the first
  /// key. Valid until the next call.
  llvm::ArrayRef<Item> find(const Key *keys, int64_t n, int64_t first);

  /// The best min(k, n) of n items in any order.
  llvm::ArrayRef<Item> findAmong(llvm::MutableArrayRef<Item> found) const;

private:
  llvm::ArrayRef<Item> findBelowBound(const Key *keys, int64_t n, int64_t first,
                                      int64_t lanes);
  [[gnu::noinline]] void collect(const Key *keys, int64_t n, int64_t first);

  int64_t k;
  DataType keyType;
  Key tie;           // the first k elements of this key, and all below it,
  Key bound;         // are collected: what is up to the bound,
  bool done = false; // and nothing any more once there are k of them
  std::vector<Item> items, ties;
  std::vector<Key> minima;
};
} // namespace

template <class Key, class Item>
llvm::ArrayRef<Item>
BestOfRow<Key, Item>::findAmong(llvm::MutableArrayRef<Item> found) const {
  int64_t count = std::min<int64_t>(k, found.size());
  if (count < int64_t(found.size()))
    std::nth_element(found.begin(), found.begin() + count, found.end());
  std::sort(found.begin(), found.begin() + count);
  return found.take_front(count);
}

template <class Key, class Item>
llvm::ArrayRef<Item> BestOfRow<Key, Item>::find(const Key *keys, int64_t n,
                                                int64_t first) {
  int64_t lanes = llvm::alignTo(std::max<int64_t>(4 * k, 64), 64);
  if (4 * lanes <= n)
    return findBelowBound(keys, n, first, lanes);
  bool all = 4 * k >= n;
  items.resize(all ? 2 * n : n);
  for (int64_t i = 0; i < n; ++i)
    items[i] = Item(keys[i], first + i);
  if (!all)
    return findAmong(items);
  Item *sorted = sortItems(items.data(), items.data() + n, n, keyType);
  return llvm::ArrayRef(sorted, size_t(std::min(k, n)));
}

/// minima[j] = the smallest of keys[j], keys[j + lanes], ...
template <class Key>
static void laneMinima(const Key *keys, int64_t n, Key *minima, int64_t lanes) {
  std::copy_n(keys, lanes, minima);
  for (int64_t first = lanes; first < n; first += lanes)
    for (int64_t j = 0, m = std::min(lanes, n - first); j < m; ++j)
      minima[j] = std::min(minima[j], keys[first + j]);
}

/// The k-th smallest of values. Few are compared each with each, which takes
/// vectors and no branch.
template <class Key>
static Key kthSmallest(llvm::MutableArrayRef<Key> values, int64_t k) {
  constexpr size_t few = 64;
  if (values.size() != few) {
    std::nth_element(values.begin(), values.begin() + (k - 1), values.end());
    return values[k - 1];
  }
  Key smaller[few] = {}, result = std::numeric_limits<Key>::min();
  for (Key other : values)
    for (size_t i = 0; i < few; ++i)
      smaller[i] += Key(other < values[i]);
  for (size_t i = 0; i < few; ++i)
    result = std::max(result, smaller[i] < k ? values[i] : result);
  return result;
}

/// Whether any key is at most `bound`.
template <class Key>
static bool anyUpTo(const Key *keys, int64_t n, Key bound) {
  Key any = 0;
  for (int64_t i = 0; i < n; ++i)
    any |= keys[i] <= bound ? Key(-1) : Key(0);
  return any != 0;
}

template <class Key, class Item>
void BestOfRow<Key, Item>::collect(const Key *keys, int64_t n, int64_t first) {
  for (int64_t i = 0; i < n && !done; ++i) {
    if (keys[i] > bound)
      continue;
    bool isTie = keys[i] == tie;
    (isTie ? ties : items).push_back(Item(keys[i], first + i));
    if (!isTie || int64_t(ties.size()) < k)
      continue;
    done = tie == std::numeric_limits<Key>::min();
    bound = done ? tie : Key(tie - 1);
  }
}

template <class Key, class Item>
llvm::ArrayRef<Item>
BestOfRow<Key, Item>::findBelowBound(const Key *keys, int64_t n, int64_t first,
                                     int64_t lanes) {
  items.clear();
  ties.clear();
  minima.resize(lanes);
  done = false;
  atCpuLevel([&] {
    laneMinima(keys, n, minima.data(), lanes);
    bound = tie = kthSmallest<Key>(minima, k);
    constexpr int64_t part = 64 / sizeof(Key), block = 4 * part;
    int64_t i = 0;
    for (; i + block <= n; i += block)
      if (anyUpTo(keys + i, block, bound))
        for (int64_t j = i; j < i + block; j += part)
          if (anyUpTo(keys + j, part, bound))
            collect(keys + j, part, first + j);
    collect(keys + i, n - i, first + i);
  });
  // All items are smaller than the ties, which lie in their order.
  auto smaller = int64_t(findAmong(items).size());
  items.resize(smaller);
  items.insert(items.end(), ties.begin(), ties.begin() + (k - smaller));
  return items;
}

//===----------------------------------------------------------------------===//
// Rows and pieces of rows
//===----------------------------------------------------------------------===//

/// The numbers of the best k in each row.
template <class Key, class Item>
static void searchRows(const SortKeys &keys, int64_t rows, int64_t n, int64_t k,
                       int64_t *out) {
  int64_t grain = std::max<int64_t>(1, pieceElements / n);
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
    BestOfRow<Key, Item> best(k, keys.type());
    auto items = best.findAmong(
        llvm::MutableArrayRef(found).drop_back(k - counts.back()));
    for (int64_t i = 0; i < k; ++i)
      out[row * k + i] = items[i].number();
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

TopK onnxfold::topK(const Elements &x, int64_t k, int64_t axis, bool largest) {
  if (x.isWide()) {
    TopK result = topK(x.unrounded(), k, axis, largest);
    result.values = gatherElements(x, result.indices, axis);
    return result;
  }
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
  TopK result;
  result.indices = moveLastTo(best, axis);
  result.values = gatherElements(x, result.indices, axis);
  return result;
}
