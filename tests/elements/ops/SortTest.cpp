//===- SortTest.cpp - Sorting and unique elements -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// The reference: -1, 0 or 1 for two elements, from the numbers they stand for
//===----------------------------------------------------------------------===//

template <class T> static int compare(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, llvm::StringRef>) {
    return a.compare(b);
  } else if constexpr (isComplex(dataTypeOf<T>)) {
    int real = compare(a.real(), b.real());
    return real ? real : compare(a.imag(), b.imag());
  } else {
    WideNum x = WideNum::widen(a), y = WideNum::widen(b);
    if (x.isNaN() || y.isNaN())
      return int(x.isNaN()) - int(y.isNaN());
    return x < y ? -1 : int(y < x);
  }
}

/// Random elements with many equal ones and all special values.
template <class T> static T randomElement(Random &random) {
  if constexpr (std::is_same_v<T, llvm::StringRef>) {
    static const char *texts[] = {"", "a", "ab", "b", "\xc3\xa4", "B"};
    return texts[random.integer(0, 5)];
  } else if constexpr (isComplex(dataTypeOf<T>)) {
    using Part = typename T::value_type;
    return T(randomElement<Part>(random), randomElement<Part>(random));
  } else if constexpr (isFloat(dataTypeOf<T>)) {
    static const double values[] = {0.0,  -0.0,     1,         -1,  2,   3,
                                    -0.5, INFINITY, -INFINITY, NAN, -NAN};
    return random.integer(0, 1) ? convert<T>(values[random.integer(0, 10)])
                                : convert<T>(random.real(-4, 4));
  } else {
    int64_t low = isSigned(dataTypeOf<T>) ? -2 : 0;
    if (random.integer(0, 3) == 0)
      return convert<T>(int64_t(random.engine()));
    return convert<T>(random.integer(low, 1));
  }
}

template <class T>
static std::vector<int64_t> naiveOrder(const std::vector<T> &row,
                                       bool descending) {
  std::vector<int64_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  // Insertion: stable, and nothing that the library could share.
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t j = i; j > 0; --j) {
      int c = compare<T>(row[order[j - 1]], row[order[j]]);
      if (descending ? c >= 0 : c <= 0)
        break;
      std::swap(order[j - 1], order[j]);
    }
  return order;
}

namespace {
template <class T> class Sorting : public testing::Test {};
using SortedTypes =
    testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,
                   int64_t, uint64_t, Int4, UInt4, Int2, UInt2, Float16,
                   BFloat16, float, double, Float8E4M3FN, Float8E4M3FNUZ,
                   Float8E5M2, Float8E5M2FNUZ, Float8E8M0, Float6E2M3,
                   Float6E3M2, Float4E2M1, llvm::StringRef, std::complex<float>,
                   std::complex<double>>;
TYPED_TEST_SUITE(Sorting, SortedTypes);
} // namespace

/// Calls f(seed, random, x, elements of x) for random tensors, some of them
/// views with negative and permuted strides.
template <class T, class F> static void forRandomTensors(F f) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(1, 4), seed % 8 != 0, 6);
    if (seed % 10 == 9)
      shape = {3, 700}; // beyond what is sorted by comparisons
    auto x = Naive<T>::make(shape,
                            [&](ShapeRef) { return randomElement<T>(random); });
    Elements e;
    if constexpr (std::is_same_v<T, llvm::StringRef>)
      e = Elements::fromStrings(shape, x.values);
    else
      e = x.elements();
    if (seed % 3 == 1) {
      Shape perm = random.permutation(shape.size()), inverse(shape.size());
      for (size_t d = 0; d < perm.size(); ++d)
        inverse[perm[d]] = d;
      e = e.transpose(perm).materialize().transpose(inverse);
    } else if (seed % 3 == 2) {
      Shape starts, steps(shape.size(), -1);
      for (int64_t d : shape)
        starts.push_back(std::max<int64_t>(0, d - 1));
      e = e.slice(starts, shape, steps).materialize();
      e = e.slice(starts, shape, steps);
    }
    f(seed, random, x, e);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TYPED_TEST(Sorting, AgainstInsertion) {
  using T = TypeParam;
  forRandomTensors<T>(
      [](unsigned seed, Random &random, const Naive<T> &x, const Elements &e) {
        int64_t axis = random.integer(0, x.shape.size() - 1);
        bool descending = seed % 2;
        // Each lane along the axis is sorted once, at its first element.
        Naive<int64_t> order{x.shape, std::vector<int64_t>(x.values.size())};
        Naive<T> sorted(x);
        Naive<int64_t>::make(x.shape, [&](ShapeRef index) {
          if (index[axis] != 0)
            return 0;
          Shape at(index);
          std::vector<T> row;
          for (at[axis] = 0; at[axis] < x.shape[axis]; ++at[axis])
            row.push_back(x(at));
          std::vector<int64_t> best = naiveOrder(row, descending);
          for (at[axis] = 0; at[axis] < x.shape[axis]; ++at[axis]) {
            order.values[x.at(at)] = best[at[axis]];
            sorted.values[x.at(at)] = row[best[at[axis]]];
          }
          return 0;
        });
        expectEqual(argSort(e, axis, descending), order);
        expectEqual(sort(e, axis, descending), sorted);
      });
}

//===----------------------------------------------------------------------===//
// unique
//===----------------------------------------------------------------------===//

/// Compares each slice with each result so far.
template <class T>
static void expectUnique(const Naive<T> &x, const Unique &actual,
                         const UniqueOptions &options) {
  int64_t axis = options.axis.value_or(0);
  Naive<T> source = x;
  if (!options.axis)
    source.shape = {int64_t(x.values.size())};
  int64_t n = source.shape[axis];
  std::vector<std::vector<T>> slices(n);
  Naive<int>::make(source.shape, [&](ShapeRef index) {
    slices[index[axis]].push_back(source(index));
    return 0;
  });
  auto compareSlices = [&](int64_t i, int64_t j) {
    for (size_t k = 0; k < slices[i].size(); ++k)
      if (int c = compare(slices[i][k], slices[j][k]))
        return c;
    return 0;
  };
  auto hasNan = [&](int64_t i) {
    return llvm::any_of(slices[i], [](const T &v) { return v != v; });
  };
  auto isEqual = [&](int64_t i, int64_t j) {
    return compareSlices(i, j) == 0 && (options.nansAreEqual || !hasNan(i));
  };
  std::vector<int64_t> first, counts, inverse(n);
  for (int64_t i = 0; i < n; ++i) {
    auto it = llvm::find_if(first, [&](int64_t j) { return isEqual(i, j); });
    inverse[i] = it - first.begin();
    if (it == first.end()) {
      first.push_back(i);
      counts.push_back(0);
    }
    ++counts[inverse[i]];
  }
  if (options.sorted) {
    std::vector<int64_t> places(first.size());
    for (size_t i = 0; i < first.size(); ++i)
      for (size_t j = 0; j < first.size(); ++j) {
        int c = compareSlices(first[j], first[i]);
        places[i] += c < 0 || (c == 0 && j < i);
      }
    std::vector<int64_t> oldFirst(first), oldCounts(counts);
    for (size_t i = 0; i < places.size(); ++i) {
      first[places[i]] = oldFirst[i];
      counts[places[i]] = oldCounts[i];
    }
    for (int64_t &i : inverse)
      i = places[i];
  }
  auto m = int64_t(first.size());
  expectValues<int64_t>(actual.first, {m}, first);
  expectValues<int64_t>(actual.counts, {m}, counts);
  expectValues<int64_t>(actual.inverse, {n}, inverse);
  Shape shape(source.shape);
  shape[axis] = m;
  expectEqual(actual.values, Naive<T>::make(shape, [&](ShapeRef index) {
                Shape at(index);
                at[axis] = first[index[axis]];
                return source(at);
              }));
}

// Small floats compare by bits, so their NaN is equal to itself.
template <class T>
constexpr bool nanDiffers = std::is_floating_point_v<T> ||
                            isComplex(dataTypeOf<T>) || !isFloat(dataTypeOf<T>);

TYPED_TEST(Sorting, UniqueAgainstComparingAll) {
  using T = TypeParam;
  forRandomTensors<T>(
      [](unsigned, Random &random, const Naive<T> &x, const Elements &e) {
        for (bool sorted : {true, false}) {
          UniqueOptions options{.sorted = sorted};
          options.nansAreEqual = !nanDiffers<T> || random.integer(0, 1);
          expectUnique(x, unique(e, options), options);
          options.axis = random.integer(0, x.shape.size() - 1);
          expectUnique(x, unique(e, options), options);
        }
      });
}

// numpy.unique(..., return_index=True, return_inverse=True, return_counts=True)
TEST(Unique, AsNumpy) {
  Elements x = Elements::fromValues<float>({2, 3}, {3, NAN, 1, 1, NAN, 2});
  Unique u = unique(x);
  expectValues<float>(u.values, {4}, {1, 2, 3, NAN});
  expectValues<int64_t>(u.first, {4}, {2, 5, 0, 1});
  expectValues<int64_t>(u.inverse, {6}, {2, 3, 0, 0, 3, 1});
  expectValues<int64_t>(u.counts, {4}, {2, 1, 1, 2});
  // ONNX Unique with sorted = 0.
  u = unique(x, {.sorted = false});
  expectValues<float>(u.values, {4}, {3, NAN, 1, 2});
  expectValues<int64_t>(u.inverse, {6}, {0, 1, 2, 2, 1, 3});
  // equal_nan=False, and rows as numpy has them.
  u = unique(x, {.nansAreEqual = false});
  expectValues<float>(u.values, {5}, {1, 2, 3, NAN, NAN});
  expectValues<int64_t>(u.first, {5}, {2, 5, 0, 1, 4});
  Elements rows = Elements::fromValues<float>({3, 2}, {NAN, 1, NAN, 1, 0, 1});
  u = unique(rows, {.axis = 0, .nansAreEqual = false});
  expectValues<int64_t>(u.first, {3}, {2, 0, 1});
  expectValues<int64_t>(u.inverse, {3}, {1, 2, 0});
  u = unique(rows, {.axis = 0});
  expectValues<int64_t>(u.first, {2}, {2, 0});
}

TEST(Unique, RankZeroAndNoElements) {
  Unique u = unique(Elements::fromValues<int32_t>({}, {5}));
  expectValues<int32_t>(u.values, {1}, {5});
  expectValues<int64_t>(u.first, {1}, {0});
  expectValues<int64_t>(u.inverse, {1}, {0});
  expectValues<int64_t>(u.counts, {1}, {1});
  // Three slices of nothing are equal.
  u = unique(Elements::fromValues<float>({3, 0}, {}), {.axis = 0});
  expectValues<float>(u.values, {1, 0}, {});
  expectValues<int64_t>(u.inverse, {3}, {0, 0, 0});
  expectValues<int64_t>(u.counts, {1}, {3});
  u = unique(Elements::fromValues<float>({3, 0}, {}), {.axis = 1});
  expectValues<float>(u.values, {3, 0}, {});
  expectValues<int64_t>(u.first, {0}, {});
  Elements symbols = Elements::fromValues<Opaque64>({1}, {{0}});
  EXPECT_FALSE(bool(unique(symbols).values));
  EXPECT_FALSE(bool(sort(symbols, 0)));
}

TEST(Sorting, BoolsAsTheNumbersThatTheyAre) {
  Random random(3);
  auto numbers = Naive<uint8_t>::make(
      {5, 9}, [&](ShapeRef) { return uint8_t(random.integer(0, 1)); });
  Elements x = numbers.elements(), bools = cast(x, DataType::Bool);
  EXPECT_TRUE(argSort(bools, 1).identicalTo(argSort(x, 1)));
  EXPECT_TRUE(
      sort(bools, 0, true).identicalTo(cast(sort(x, 0, true), DataType::Bool)));
  Unique u = unique(bools, {.axis = 1}), v = unique(x, {.axis = 1});
  EXPECT_TRUE(u.values.identicalTo(cast(v.values, DataType::Bool)));
  EXPECT_TRUE(u.first.identicalTo(v.first));
}

// Long rows are sorted piece by piece, and pieces by several threads.
TEST(Sorting, LongRowsOnThreads) {
  int64_t n = 600000;
  Random random(21);
  auto x = Naive<float>::make({2, n}, [&](ShapeRef) {
    return float(random.integer(-1000, 1000)) * 0.5f;
  });
  auto y = Naive<int64_t>::make(
      {2, n}, [&](ShapeRef) { return int64_t(random.engine() >> 20); });
  auto expected = [&](const auto &x, bool descending) {
    Naive<int64_t> order{x.shape, std::vector<int64_t>(2 * n)};
    for (int64_t row = 0; row < 2; ++row) {
      int64_t *out = order.values.data() + row * n;
      std::iota(out, out + n, 0);
      auto *v = x.values.data() + row * n;
      std::stable_sort(out, out + n, [&](int64_t i, int64_t j) {
        return descending ? v[i] > v[j] : v[i] < v[j];
      });
    }
    return order;
  };
  Naive<int64_t> ofX = expected(x, true), ofY = expected(y, false);
  for (unsigned threads : {1u, 2u, 7u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    expectEqual(argSort(x.elements(), 1, true), ofX);
    expectEqual(argSort(y.elements(), 1, false), ofY);
    TopK top = topK(x.elements(), 100, 1, true);
    expectEqual(top.indices, Naive<int64_t>::make(
                                 {2, 100}, [&](ShapeRef i) { return ofX(i); }));
  }
}

// Unrounded values decide in wide mode, so 1 + 2^-40 comes after 1.
TEST(Sorting, WideTensorsAreSortedUnrounded) {
  Elements x = Elements::fromValues<float>({3}, {1, 1, 0}).widened();
  Elements d = Elements::fromValues<float>({3}, {0x1p-40f, 0, 0});
  Elements y = zip(x, d, [](auto a, auto b) { return a + b; });
  expectValues<int64_t>(argSort(y, 0), {3}, {2, 1, 0});
  Elements s = sort(y, 0);
  EXPECT_TRUE(s.isWide());
  expectValues<double>(s.unrounded(), {3}, {0, 1, 1 + 0x1p-40});
}
