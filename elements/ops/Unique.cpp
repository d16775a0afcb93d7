//===- Unique.cpp - Unique elements and slices ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements are sorted by their keys, slices by comparing rows of keys: a slice
// is a row, a complex element or string too. Runs of equal ones follow.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/BuildKept.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/elements/ops/internal/SortKeys.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {
/// The numbers of all slices in ascending order, equal ones in that of their
/// numbers; and where each run of equal ones begins.
struct SortedSlices {
  std::vector<int64_t> numbers, starts;
};
} // namespace

static SortedSlices sortElements(const Elements &x, bool nansAreEqual) {
  int64_t n = x.size();
  SortedSlices result;
  SortKeys keys(x, /*descending=*/false);
  bool isolateNans = isFloat(x.type()) && !nansAreEqual;
  auto sortAs = [&](auto keyTag, auto itemTag) {
    using Key = typename decltype(keyTag)::type;
    using Item = typename decltype(itemTag)::type;
    auto memory = llvm::makeIntrusiveRefCnt<HeapBuffer>(2 * n * sizeof(Item));
    auto *items = reinterpret_cast<Item *>(memory->data());
    SortKeys::Window<Key> window(keys);
    constexpr int64_t piece = 32 << 10;
    for (int64_t first = 0; first < n; first += piece) {
      int64_t count = std::min(piece, n - first);
      const Key *key = window.get(first, count);
      for (int64_t i = 0; i < count; ++i)
        items[first + i] = Item(key[i], first + i);
    }
    Item *sorted = sortItems(items, items + n, n, keys.type());
    result.numbers.resize(n);
    for (int64_t i = 0; i < n; ++i) {
      result.numbers[i] = sorted[i].number();
      if (i == 0 || !sorted[i].sameKey(sorted[i - 1]) ||
          (isolateNans && sorted[i].sameKey(Item(keys.nan<Key>(), 0))))
        result.starts.push_back(i);
    }
  };
  visitSortKey(keys.type(), [&](auto keyTag) {
    visitSortItem(keys.type(), n,
                  [&](auto itemTag) { sortAs(keyTag, itemTag); });
  });
  return result;
}

/// Sorts `count` rows of `n` values; a row that contains `nan` equals no other.
template <class T>
static SortedSlices sortRowsOf(const T *values, int64_t count, int64_t n,
                               std::optional<T> nan) {
  auto row = [&](int64_t i) {
    return llvm::ArrayRef<T>(values + i * n, size_t(n));
  };
  auto less = [&](int64_t i, int64_t j) {
    return std::lexicographical_compare(row(i).begin(), row(i).end(),
                                        row(j).begin(), row(j).end());
  };
  SortedSlices result;
  result.numbers.resize(count);
  std::iota(result.numbers.begin(), result.numbers.end(), 0);
  llvm::stable_sort(result.numbers, less);
  for (int64_t i = 0; i < count; ++i) {
    int64_t slice = result.numbers[i];
    if (i == 0 || less(result.numbers[i - 1], slice) ||
        (nan && llvm::is_contained(row(slice), *nan)))
      result.starts.push_back(i);
  }
  return result;
}

/// The parts of complex elements as a new last dimension.
static Elements partsOf(const Elements &x) {
  Shape shape(x.shape());
  shape.push_back(2);
  if (x.type() == DataType::Complex64)
    return Elements::build<float>(
        shape, [&](llvm::MutableArrayRef<float> out) { x.read(out.data()); });
  return Elements::build<double>(
      shape, [&](llvm::MutableArrayRef<double> out) { x.read(out.data()); });
}

/// `x` is [slices, elements of each].
static SortedSlices sortSlices(const Elements &x, bool nansAreEqual) {
  int64_t count = x.dim(0), n = x.dim(1);
  if (x.type() == DataType::String) {
    ElementsArray<llvm::StringRef> values(x);
    return sortRowsOf<llvm::StringRef>(values.data(), count, n, std::nullopt);
  }
  if (isComplex(x.type()))
    return sortSlices(partsOf(x).reshape({count, 2 * n}), nansAreEqual);
  if (n == 1)
    return sortElements(x, nansAreEqual);
  SortedSlices result;
  SortKeys keys(x, /*descending=*/false);
  visitSortKey(keys.type(), [&](auto tag) {
    using Key = typename decltype(tag)::type;
    SortKeys::Window<Key> window(keys);
    std::optional<Key> nan;
    if (isFloat(x.type()) && !nansAreEqual)
      nan = keys.nan<Key>();
    result = sortRowsOf<Key>(window.get(0, x.size()), count, n, nan);
  });
  return result;
}

/// The place of each run in the result.
static std::vector<int64_t> placesOf(const SortedSlices &slices, bool sorted) {
  std::vector<int64_t> runs(slices.starts.size());
  std::iota(runs.begin(), runs.end(), 0);
  if (sorted)
    return runs;
  auto firstOf = [&](int64_t run) {
    return slices.numbers[slices.starts[run]];
  };
  llvm::sort(runs,
             [&](int64_t a, int64_t b) { return firstOf(a) < firstOf(b); });
  std::vector<int64_t> places(runs.size());
  for (size_t place = 0; place < runs.size(); ++place)
    places[runs[place]] = place;
  return places;
}

static Elements asElements(const std::vector<int64_t> &values) {
  return buildKept<int64_t>({int64_t(values.size())},
                            [&](llvm::MutableArrayRef<int64_t> out) {
                              llvm::copy(values, out.begin());
                            });
}

Unique ops::unique(const Elements &x, const UniqueOptions &options) {
  if (!x)
    return {};
  if (x.type() == DataType::Opaque)
    return {};
  Unique lifted;
  if (Elements values = movedInWide(x, [&](auto e) {
        lifted = unique(e[0], options);
        return lifted.values;
      })) {
    lifted.values = values;
    return lifted;
  }
  // The slices are what lies below the first dimension.
  int64_t axis = options.axis.value_or(0);
  Elements source = options.axis ? x : x.reshape({x.size()});
  Shape perm = {axis};
  for (int64_t d = 0; d < source.rank(); ++d)
    if (d != axis)
      perm.push_back(d);
  int64_t count = source.dim(axis);
  int64_t length = 1;
  for (int64_t d : ShapeRef(perm).drop_front())
    length *= source.dim(d);
  SortedSlices slices = sortSlices(
      source.transpose(perm).reshape({count, length}), options.nansAreEqual);

  std::vector<int64_t> places = placesOf(slices, options.sorted);
  int64_t runs = places.size();
  std::vector<int64_t> first(runs), counts(runs);
  Unique result;
  result.inverse =
      buildKept<int64_t>({count}, [&](llvm::MutableArrayRef<int64_t> inverse) {
        for (int64_t run = 0; run < runs; ++run) {
          int64_t begin = slices.starts[run];
          int64_t end = run + 1 < runs ? slices.starts[run + 1] : count;
          first[places[run]] = slices.numbers[begin];
          counts[places[run]] = end - begin;
          for (int64_t i = begin; i < end; ++i)
            inverse[slices.numbers[i]] = places[run];
        }
      });
  result.first = asElements(first);
  result.counts = asElements(counts);
  result.values = gather(source, result.first, axis);
  return result;
}
