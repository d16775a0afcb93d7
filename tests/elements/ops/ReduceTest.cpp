//===- ReduceTest.cpp - Reductions, searches and scans --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <map>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;

/// The reduced elements of each result, in row-major order.
template <class T>
static Naive<std::vector<T>> groups(const Naive<T> &x, ShapeRef axes,
                                    bool keepDims) {
  Naive<std::vector<T>> result;
  result.shape = reducedShape(x.shape, axes, keepDims);
  result.values.resize(numElements(result.shape));
  Shape kept = reducedShape(x.shape, axes, true);
  Naive<int64_t> number = Naive<int64_t>::make(
      kept, [i = 0](ShapeRef) mutable { return int64_t(i++); });
  Naive<T>::make(x.shape, [&](ShapeRef index) {
    Shape to(index);
    for (int64_t axis : axes)
      to[axis] = 0;
    result.values[number(to)].push_back(x(index));
    return x(index);
  });
  return result;
}

static Shape randomAxes(Random &random, int64_t rank) {
  Shape axes;
  for (int64_t d = 0; d < rank; ++d)
    if (random.integer(0, 1))
      axes.push_back(d);
  return axes;
}

namespace {
template <class T> class ReduceIntegers : public testing::Test {};
using Integers =
    testing::Types<int8_t, uint8_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(ReduceIntegers, Integers);

struct Case {
  Reduction kind;
  const char *name;
};
const Case exactCases[] = {{Reduction::Sum, "Sum"},
                           {Reduction::Product, "Product"},
                           {Reduction::Min, "Min"},
                           {Reduction::Max, "Max"},
                           {Reduction::SumSquare, "SumSquare"},
                           {Reduction::L1, "L1"}};
} // namespace

/// In arithmetic modulo 2^64, cut to T at the end: the same as wrapping.
template <class T>
static T naiveInteger(const std::vector<T> &values, Reduction kind) {
  if (kind == Reduction::Min || kind == Reduction::Max) {
    bool isMin = kind == Reduction::Min;
    T best = isMin ? std::numeric_limits<T>::max()
                   : std::numeric_limits<T>::lowest();
    for (T v : values)
      best = isMin ? std::min(best, v) : std::max(best, v);
    return best;
  }
  uint64_t sum = kind == Reduction::Product ? 1 : 0;
  for (T value : values) {
    uint64_t v = uint64_t(value);
    if (kind == Reduction::Product)
      sum *= v;
    else if (kind == Reduction::SumSquare)
      sum += v * v;
    else if (kind == Reduction::L1)
      sum += value < T(0) ? -v : v;
    else
      sum += v;
  }
  return T(sum);
}

TYPED_TEST(ReduceIntegers, RandomShapes) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(0, 4), seed % 6 != 0, 7);
    auto x =
        Naive<T>::make(shape, [&](ShapeRef) { return T(random.engine()); });
    Shape axes = randomAxes(random, shape.size());
    bool keepDims = random.integer(0, 1);
    Naive<std::vector<T>> parts = groups(x, axes, keepDims);
    for (const Case &c : exactCases) {
      SCOPED_TRACE(c.name);
      Naive<T> expected{parts.shape, {}};
      for (const std::vector<T> &part : parts.values)
        expected.values.push_back(naiveInteger(part, c.kind));
      expectEqual(reduce(x.elements(), axes, keepDims, c.kind), expected);
      if (this->HasFatalFailure())
        return;
    }
  }
}

/// All kinds, in long double.
static long double naiveFloat(const std::vector<float> &values,
                              Reduction kind) {
  long double sum = kind == Reduction::Product ? 1 : 0, top = -infinity;
  for (float value : values) {
    long double v = value;
    top = std::max(top, v);
    if (kind == Reduction::Product)
      sum *= v;
    else if (kind == Reduction::SumSquare || kind == Reduction::L2)
      sum += v * v;
    else if (kind == Reduction::L1)
      sum += std::fabs(v);
    else if (kind == Reduction::LogSumExp)
      sum += std::exp(v);
    else
      sum += v;
  }
  switch (kind) {
  case Reduction::Min:
    return values.empty() ? infinity
                          : *std::min_element(values.begin(), values.end());
  case Reduction::Max:
    return top;
  case Reduction::Mean:
    return sum / values.size();
  case Reduction::L2:
    return std::sqrt(sum);
  case Reduction::LogSum:
  case Reduction::LogSumExp:
    return std::log(sum);
  default:
    return sum;
  }
}

// The error is one rounding to f32 (and far less in f64).
TEST(Reduce, RandomFloats) {
  const Reduction kinds[] = {
      Reduction::Sum,    Reduction::Product,   Reduction::Min, Reduction::Max,
      Reduction::Mean,   Reduction::SumSquare, Reduction::L1,  Reduction::L2,
      Reduction::LogSum, Reduction::LogSumExp};
  for (unsigned seed = 0; seed < 120; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(0, 4), 1, seed % 3 ? 6 : 20);
    auto x = Naive<float>::make(
        shape, [&](ShapeRef) { return float(random.real(0.1, 2)); });
    Shape axes = randomAxes(random, shape.size());
    bool keepDims = random.integer(0, 1);
    Naive<std::vector<float>> parts = groups(x, axes, keepDims);
    Elements wide = cast(x.elements(), DataType::Float64);
    for (Reduction kind : kinds) {
      SCOPED_TRACE(int(kind));
      Elements f32 = reduce(x.elements(), axes, keepDims, kind);
      Elements f64 = reduce(wide, axes, keepDims, kind);
      ASSERT_EQ(toString(f32.shape()), toString(parts.shape));
      for (int64_t i = 0; i < f32.size(); ++i) {
        long double expected = naiveFloat(parts.values[i], kind);
        ASSERT_NEAR(f32.value<float>(i), expected,
                    std::fabs(expected) * 0x1.01p-24 + 1e-13L);
        ASSERT_NEAR(f64.value<double>(i), expected,
                    (std::fabs(expected) + 1) * 3e-15L);
      }
    }
  }
}

// Leading axes, middle axes, long and wide: each way through the loops, on
// threads, as view and as copy: the same bits.
TEST(Reduce, ShapeAloneFixesTheBits) {
  for (auto [shape, axes] :
       std::vector<std::pair<Shape, Shape>>{{{300000}, {0}},
                                            {{9000, 33}, {0}},
                                            {{33, 9000}, {1}},
                                            {{20, 10000}, {0}},
                                            {{3, 5000, 7}, {1}},
                                            {{7, 40, 9, 50}, {0, 2}},
                                            {{5, 40, 9, 50}, {1, 3}},
                                            {{2, 100000}, {0}}}) {
    SCOPED_TRACE(toString(shape));
    Random random(1);
    auto x = Naive<double>::make(shape,
                                 [&](ShapeRef) { return random.real(-1, 1); });
    Elements e = x.elements();
    Shape reversed;
    for (int64_t d = e.rank(); d-- > 0;)
      reversed.push_back(d);
    Elements viewed = e.transpose(reversed).materialize().transpose(reversed);
    Elements program = map(viewed, [](auto v) { return v; });
    for (Reduction kind : {Reduction::Sum, Reduction::L2, Reduction::Product}) {
      Elements expected = reduce(e, axes, false, kind).materialize();
      EXPECT_TRUE(reduce(viewed, axes, false, kind).identicalTo(expected));
      for (unsigned threads : {1u, 2u, 7u}) {
        llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
        ParallelScope scope(pool);
        EXPECT_TRUE(reduce(e, axes, false, kind).identicalTo(expected));
        EXPECT_TRUE(reduce(program, axes, false, kind).identicalTo(expected));
      }
    }
  }
}

// A plain loop in f64 loses some 10^-10 here; the pairwise tree does not.
TEST(Reduce, LongSumsArePairwise) {
  int64_t n = 3000000;
  Elements tenth = Elements::splat<double>({n}, 0.1).materialize();
  double sum = reduce(tenth, {0}, false, Reduction::Sum).value<double>();
  EXPECT_NEAR(sum, 300000.0, 300000 * 1e-14);
  // f32: exact in double, rounded once.
  Elements f32 = Elements::splat<float>({n}, 0.1f).materialize();
  EXPECT_EQ(reduce(f32, {0}, false, Reduction::Sum).value<float>(),
            float(double(0.1f) * n));
  // f16: 4096 ones are 4096, not the 2048 of a sum in f16.
  Elements ones = cast(Elements::splat<float>({4096}, 1), DataType::Float16);
  EXPECT_EQ(reduce(ones.materialize(), {0}, false, Reduction::Sum)
                .number()
                .to<float>(),
            4096);
}

TEST(Reduce, EmptySets) {
  Elements x = Elements::fromValues<float>({2, 0}, {});
  auto of = [&](Reduction kind) {
    return reduce(x, {1}, false, kind).value<float>(1);
  };
  EXPECT_EQ(of(Reduction::Sum), 0);
  EXPECT_FALSE(std::signbit(of(Reduction::Sum)));
  EXPECT_EQ(of(Reduction::SumSquare), 0);
  EXPECT_EQ(of(Reduction::L1), 0);
  EXPECT_EQ(of(Reduction::L2), 0);
  EXPECT_EQ(of(Reduction::Product), 1);
  EXPECT_EQ(of(Reduction::Max), -infinity);
  EXPECT_EQ(of(Reduction::Min), infinity);
  EXPECT_EQ(of(Reduction::LogSum), -infinity);
  EXPECT_EQ(of(Reduction::LogSumExp), -infinity);
  EXPECT_TRUE(std::isnan(of(Reduction::Mean)));
  Elements i = Elements::fromValues<int32_t>({0}, {});
  EXPECT_EQ(reduce(i, {0}, false, Reduction::Max).value<int32_t>(), INT32_MIN);
  EXPECT_EQ(reduce(i, {0}, false, Reduction::Min).value<int32_t>(), INT32_MAX);
  EXPECT_EQ(reduce(i, {0}, false, Reduction::Sum).value<int32_t>(), 0);
  Elements b = Elements::fromValues<bool>({0}, {});
  EXPECT_FALSE(reduce(b, {0}, false, Reduction::Max).value<bool>());
  EXPECT_TRUE(reduce(b, {0}, false, Reduction::Min).value<bool>());
  expectValues<float>(reduce(x, {0}, false, Reduction::Sum), {0}, {});
}

TEST(Reduce, EdgeValues) {
  Elements x = Elements::fromValues<float>({4}, {1, NAN, 3, float(-infinity)});
  EXPECT_TRUE(std::isnan(reduce(x, {0}, false, Reduction::Max).value<float>()));
  EXPECT_TRUE(std::isnan(reduce(x, {0}, false, Reduction::Min).value<float>()));
  // -0 + -0 is -0.
  Elements zeros = Elements::fromValues<float>({2}, {-0.0f, -0.0f});
  EXPECT_TRUE(
      std::signbit(reduce(zeros, {0}, false, Reduction::Sum).value<float>()));
  Elements low =
      Elements::fromValues<float>({2}, {float(-infinity), float(-infinity)});
  EXPECT_EQ(reduce(low, {0}, false, Reduction::LogSumExp).value<float>(),
            -infinity);
  Elements high = Elements::fromValues<float>({2}, {1000, 1000});
  EXPECT_FLOAT_EQ(reduce(high, {0}, false, Reduction::LogSumExp).value<float>(),
                  1000 + std::log(2.0f));
  Elements infinite = Elements::fromValues<float>({2}, {float(infinity), 1});
  EXPECT_EQ(reduce(infinite, {0}, false, Reduction::LogSumExp).value<float>(),
            infinity);
  // A large f32 squared fits double.
  Elements large = Elements::fromValues<float>({1}, {1e30f});
  EXPECT_EQ(reduce(large, {0}, false, Reduction::L2).value<float>(), 1e30f);
  Elements bools =
      Elements::fromValues<bool>({2, 2}, {true, false, true, true});
  expectValues<bool>(reduce(bools, {1}, false, Reduction::Min), {2},
                     {false, true});
  EXPECT_FALSE(bool(reduce(bools, {1}, false, Reduction::Sum)));
  EXPECT_FALSE(bool(
      reduce(Elements::fromStrings({1}, {"a"}), {0}, false, Reduction::Max)));
}

TEST(Reduce, NoAxesAndRankZero) {
  Elements x = Elements::fromValues<float>({2}, {-3, 2});
  expectValues<float>(reduce(x, {}, false, Reduction::SumSquare), {2}, {9, 4});
  expectValues<float>(reduce(x, {}, true, Reduction::L1), {2}, {3, 2});
  expectValues<float>(reduce(x, {}, true, Reduction::Mean), {2}, {-3, 2});
  expectValues<float>(reduce(x, {}, true, Reduction::LogSumExp), {2}, {-3, 2});
  Elements scalar = Elements::fromValues<int64_t>({}, {-7});
  expectValues<int64_t>(reduce(scalar, {}, false, Reduction::L1), {}, {7});
}

TEST(Reduce, IntegerMeansTruncateAndRootsAreWide) {
  Elements x = Elements::fromValues<int32_t>({2}, {-3, 0});
  expectValues<int32_t>(reduce(x, {0}, false, Reduction::Mean), {}, {-1});
  EXPECT_EQ(reduce(Elements::fromValues<uint64_t>({2}, {UINT64_MAX, 0}), {0},
                   false, Reduction::Mean)
                .value<uint64_t>(),
            UINT64_MAX / 2);
  Elements root = reduce(Elements::fromValues<int32_t>({2}, {3, 4}), {0}, false,
                         Reduction::L2);
  expectValues<double>(root, {}, {5});
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

TEST(ArgReduce, FirstAndLast) {
  Elements x = Elements::fromValues<float>({2, 3}, {1, 5, 5, 2, -1, -1});
  expectValues<int64_t>(argReduce(x, 1, false, true, false), {2}, {1, 0});
  expectValues<int64_t>(argReduce(x, 1, true, true, true), {2, 1}, {2, 0});
  expectValues<int64_t>(argReduce(x, 1, false, false, false), {2}, {0, 1});
  expectValues<int64_t>(argReduce(x, 1, false, false, true), {2}, {0, 2});
  expectValues<int64_t>(argReduce(x, 0, false, true, false), {3}, {1, 0, 0});
  Elements nan = Elements::fromValues<float>({4}, {1, NAN, 9, NAN});
  expectValues<int64_t>(argReduce(nan, 0, false, true, false), {}, {1});
  expectValues<int64_t>(argReduce(nan, 0, false, false, false), {}, {1});
  expectValues<int64_t>(argReduce(nan, 0, false, true, true), {}, {3});
  Elements bytes = Elements::fromValues<int8_t>({3}, {-128, 127, 0});
  expectValues<int64_t>(argReduce(bytes, 0, false, false, false), {}, {0});
  Elements bools = Elements::fromValues<bool>({2}, {false, true});
  expectValues<int64_t>(argReduce(bools, 0, false, true, false), {}, {1});
  Elements half =
      cast(Elements::fromValues<float>({2}, {-2, -1}), DataType::BFloat16);
  expectValues<int64_t>(argReduce(half, 0, false, true, false), {}, {1});
  expectValues<int64_t>(
      argReduce(Elements::fromValues<float>({0, 3}, {}), 1, false, true, false),
      {0}, {});
}

TEST(TopK, RandomRowsAgainstASort) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(1, 3), 1, 9);
    int64_t axis = random.integer(0, shape.size() - 1), n = shape[axis];
    int64_t k = random.integer(0, n);
    bool largest = random.integer(0, 1);
    auto x = Naive<float>::make(shape, [&](ShapeRef) {
      int64_t v = random.integer(0, 5); // many ties
      return v == 5 ? NAN : v == 0 ? -0.0f : v == 1 ? 0.0f : float(v);
    });
    TopK top = topK(x.elements(), k, axis, largest);
    Shape resultShape(shape);
    resultShape[axis] = k;
    auto expected = Naive<int64_t>::make(resultShape, [&](ShapeRef index) {
      // Rank of each element: how many come before it.
      Shape at(index);
      for (int64_t i = 0; i < n; ++i) {
        int64_t before = 0;
        at[axis] = i;
        float a = x(at);
        for (int64_t j = 0; j < n; ++j) {
          at[axis] = j;
          float b = x(at);
          bool greater = std::isnan(b) ? !std::isnan(a) : b > a;
          bool less = std::isnan(a) ? !std::isnan(b) : b < a;
          if (largest ? greater : less)
            ++before;
          else if (!greater && !less && j < i)
            ++before;
        }
        if (before == index[axis])
          return i;
      }
      return int64_t(-1);
    });
    expectEqual(top.indices, expected);
    expectEqual(top.values, Naive<float>::make(resultShape, [&](ShapeRef i) {
                  Shape at(i);
                  at[axis] = expected(i);
                  return x(at);
                }));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

/// Rows that could lead a search astray which looks at a part of them first.
template <class T>
static std::vector<std::pair<const char *, std::function<T(int64_t)>>>
rowKinds(Random &random) {
  auto lowest = convert<T>(isFloat(dataTypeOf<T>) ? -INFINITY : -128.0);
  return {
      {"random", [&](int64_t) { return convert<T>(random.real(-90, 90)); }},
      {"few", [&](int64_t) { return convert<T>(random.integer(-1, 1)); }},
      {"constant", [](int64_t) { return convert<T>(3); }},
      {"lowest", [=](int64_t) { return lowest; }},
      {"ascending", [](int64_t i) { return convert<T>(int(i / 40) - 60); }},
      {"descending", [](int64_t i) { return convert<T>(60 - int(i / 40)); }},
      {"one lane", [&](int64_t i) {
         return convert<T>(i % 64 == 5 ? random.real(0, 90) : -1.0);
       }}};
}

template <class T> static void expectTopOfRows() {
  Random random(9);
  for (auto &[name, element] : rowKinds<T>(random))
    for (int64_t n : {1, 63, 300, 1000, 4200})
      for (int64_t k : {int64_t(1), int64_t(10), n / 3, n}) {
        if (k > n)
          continue;
        SCOPED_TRACE(std::string(name) + " " + std::to_string(k) + " of " +
                     std::to_string(n));
        auto x = Naive<T>::make(
            {2, n}, [&, &e = element](ShapeRef i) { return e(i[1]); });
        for (bool largest : {true, false}) {
          Naive<int64_t> best{{2, k}, {}};
          for (int64_t row : {0, 1}) {
            std::vector<int64_t> order(n);
            std::iota(order.begin(), order.end(), 0);
            auto value = [&](int64_t i) {
              return convert<double>(x({row, i}));
            };
            llvm::stable_sort(order, [&](int64_t i, int64_t j) {
              return largest ? value(i) > value(j) : value(i) < value(j);
            });
            best.values.insert(best.values.end(), order.begin(),
                               order.begin() + k);
          }
          expectEqual(topK(x.elements(), k, 1, largest).indices, best);
          if (testing::Test::HasFatalFailure())
            return;
        }
      }
}

TEST(TopK, LongRowsOfAllKinds) {
  expectTopOfRows<float>();
  expectTopOfRows<double>();
  expectTopOfRows<int8_t>();
  expectTopOfRows<Float16>();
  expectTopOfRows<Float8E5M2>();
}

// B2: a rank-0 tensor gives [0, N].
TEST(NonZero, RankZeroAndAllTypes) {
  expectValues<int64_t>(nonZero(Elements::fromValues<float>({}, {NAN})), {0, 1},
                        {});
  expectValues<int64_t>(nonZero(Elements::fromValues<float>({}, {-0.0f})),
                        {0, 0}, {});
  expectValues<int64_t>(
      nonZero(Elements::fromValues<int8_t>({2, 2}, {0, 3, -1, 0})), {2, 2},
      {0, 1, 1, 0});
  expectValues<int64_t>(nonZero(Elements::fromStrings({3}, {"", "a", ""})),
                        {1, 1}, {1});
  using C = std::complex<float>;
  expectValues<int64_t>(nonZero(Elements::fromValues<C>({2}, {C(0, 1), C()})),
                        {1, 1}, {0});
  expectValues<int64_t>(nonZero(Elements::fromValues<float>({0, 5}, {})),
                        {2, 0}, {});
}

TEST(NonZero, RandomShapes) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(1, 5), seed % 7 != 0, 9);
    int64_t zeros = random.integer(0, 3); // of 4
    auto x = Naive<float>::make(shape, [&](ShapeRef) {
      return random.integer(1, 4) > zeros ? 1.5f : -0.0f;
    });
    std::vector<std::vector<int64_t>> expected(shape.size());
    Naive<float>::make(shape, [&](ShapeRef index) {
      for (size_t d = 0; x(index) != 0 && d < index.size(); ++d)
        expected[d].push_back(index[d]);
      return 0.0f;
    });
    Naive<int64_t> all{{int64_t(shape.size()), int64_t(expected[0].size())},
                       {}};
    for (auto &row : expected)
      all.values.insert(all.values.end(), row.begin(), row.end());
    expectEqual(nonZero(x.elements()), all);
    expectEqual(nonZero(isNonZero(x.elements())), all);
    if (testing::Test::HasFatalFailure())
      return;
  }
  EXPECT_FALSE(bool(nonZero(Elements::fromValues<Opaque64>({1}, {{0}}))));
}

TEST(NonZero, LargeOnThreads) {
  Random random(3);
  auto x = Naive<uint8_t>::make(
      {300, 701}, [&](ShapeRef) { return uint8_t(random.integer(0, 2) == 0); });
  std::vector<int64_t> rows, cols;
  for (int64_t i = 0; i < 300 * 701; ++i)
    if (x.values[i]) {
      rows.push_back(i / 701);
      cols.push_back(i % 701);
    }
  std::vector<int64_t> expected(rows);
  expected.insert(expected.end(), cols.begin(), cols.end());
  for (unsigned threads : {1u, 2u, 7u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    expectValues<int64_t>(nonZero(x.elements()), {2, int64_t(rows.size())},
                          expected);
  }
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

TEST(Cumulative, AllForms) {
  Elements x =
      Elements::fromValues<int32_t>({2, 3}, {1, 2, 3, 4, 5, INT32_MAX});
  expectValues<int32_t>(cumulativeSum(x, 1), {2, 3},
                        {1, 3, 6, 4, 9, INT32_MIN + 8});
  expectValues<int32_t>(cumulativeSum(x, 0), {2, 3},
                        {1, 2, 3, 5, 7, INT32_MIN + 2});
  expectValues<int32_t>(cumulativeSum(x.slice(0, 0, 1), 1, true), {1, 3},
                        {0, 1, 3});
  expectValues<int32_t>(cumulativeSum(x.slice(0, 0, 1), 1, false, true), {1, 3},
                        {6, 5, 3});
  expectValues<int32_t>(cumulativeSum(x.slice(0, 0, 1), 1, true, true), {1, 3},
                        {5, 3, 0});
  expectValues<int32_t>(cumulativeProduct(x.slice(0, 0, 1), 1, true), {1, 3},
                        {1, 1, 2});
  expectValues<float>(cumulativeSum(Elements::fromValues<float>({0}, {}), 0),
                      {0}, {});
  EXPECT_FALSE(bool(cumulativeSum(Elements::fromStrings({1}, {"a"}), 0)));
}

// Each element is the exact sum rounded once, on every way through.
TEST(Cumulative, LongRowsInDouble) {
  int64_t n = 30000;
  Elements x = Elements::splat<float>({2, n}, 0.1f).materialize();
  for (Elements sums :
       {cumulativeSum(x, 1),
        cumulativeSum(x.transpose({1, 0}), 0).transpose({1, 0})})
    for (int64_t i : {int64_t(0), int64_t(999), n - 1})
      EXPECT_EQ(sums.value<float>(n + i), float(double(0.1f) * (i + 1)));
}

// Short rows are worked on together: where a block of them ends changes
// nothing.
TEST(Softmax, RowsAreAsEachAlone) {
  for (int64_t n : {1, 3, 341, 1000, 3000}) {
    Random random(n);
    auto x = Naive<float>::make(
        {1500, n}, [&](ShapeRef) { return float(random.real(-9, 9)); });
    for (auto f : {softmax, logSoftmax}) {
      Elements all = f(x.elements(), 1);
      for (int64_t row : {0, 1, 2, 341, 342, 1023, 1024, 1499})
        EXPECT_TRUE(f(x.elements().slice(0, row, 1), 1)
                        .identicalTo(all.slice(0, row, 1)))
            << "row " << row << " of " << n;
    }
  }
}

TEST(Softmax, AgainstLongDouble) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(1, 3), 1, 12);
    int64_t axis = random.integer(0, shape.size() - 1);
    auto x = Naive<float>::make(
        shape, [&](ShapeRef) { return float(random.real(-90, 90)); });
    Elements y = softmax(x.elements(), axis);
    Elements logs = logSoftmax(x.elements(), axis);
    ASSERT_EQ(toString(y.shape()), toString(shape));
    Naive<float>::make(shape, [&](ShapeRef index) {
      Shape at(index);
      long double sum = 0;
      for (at[axis] = 0; at[axis] < shape[axis]; ++at[axis])
        sum += std::exp((long double)x(at));
      long double expected = std::exp((long double)x(index)) / sum;
      int64_t number = x.at(index);
      EXPECT_NEAR(y.value<float>(number), expected,
                  expected * 0x1.01p-24L + 1e-45L);
      long double log = std::log(expected);
      EXPECT_NEAR(logs.value<float>(number), log,
                  std::fabs(log) * 0x1.01p-24L + 1e-13L);
      return 0.0f;
    });
  }
  Elements huge = Elements::fromValues<float>({2}, {1e30f, -1e30f});
  expectValues<float>(softmax(huge, 0), {2}, {1, 0});
  EXPECT_FALSE(bool(softmax(Elements::fromValues<int32_t>({1}, {1}), 0)));
  expectValues<float>(softmax(Elements::fromValues<float>({2, 0}, {}), 1),
                      {2, 0}, {});
}
