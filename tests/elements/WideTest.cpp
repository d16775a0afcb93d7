//===- WideTest.cpp - Double precision between operators ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What a chain of functions of wide tensors gives is what the same chain gives
// in double, rounded once at the end. The reference computes doubles index by
// index; where a sum's tree would matter its terms are such that every sum is
// exact.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {
struct AddOp {
  template <class T> T operator()(T a, T b) const { return add(a, b); }
};
struct MulOp {
  template <class T> T operator()(T a, T b) const { return multiply(a, b); }
};
struct DivOp {
  template <class T> T operator()(T a, T b) const { return a / b; }
};
struct SqrtOp {
  template <class T> T operator()(T a) const { return std::sqrt(a); }
};
} // namespace

/// Multiples of 2^-8 of at most eleven bits: every type here holds some, and
/// double all sums of products of two.
template <class T>
static Naive<T> randomTensor(Random &random, ShapeRef shape) {
  return Naive<T>::make(shape, [&](ShapeRef) {
    return convert<T>(double(random.integer(-1023, 1023)) / 256);
  });
}

template <class T> static Naive<double> inDouble(const Naive<T> &x) {
  Naive<double> result{x.shape, {}};
  for (const T &value : x.values)
    result.values.push_back(convert<double>(value));
  return result;
}

template <class T> static Naive<T> roundedTo(const Naive<double> &x) {
  Naive<T> result{x.shape, {}};
  for (double value : x.values)
    result.values.push_back(convert<T>(value));
  return result;
}

/// A wide tensor and the doubles that it stands for.
template <class T> struct WidePair {
  Elements actual;
  Naive<double> expected;

  void check(const char *what) const {
    SCOPED_TRACE(what);
    ASSERT_TRUE(actual.isWide());
    ASSERT_NO_FATAL_FAILURE(expectEqual(actual, roundedTo<T>(expected)));
    ASSERT_NO_FATAL_FAILURE(expectEqual(actual.unrounded(), expected));
  }
};

/// Applies the same function to the tensors of float type and to doubles.
template <class T, class F>
static WidePair<T> zipped(const WidePair<T> &a, const WidePair<T> &b, F f) {
  Shape shape = *broadcastShapes(a.expected.shape, b.expected.shape);
  auto at = [&](const Naive<double> &x, ShapeRef index) {
    Shape own(index.drop_front(shape.size() - x.shape.size()));
    for (size_t d = 0; d < own.size(); ++d)
      own[d] = x.shape[d] == 1 ? 0 : own[d];
    return x(own);
  };
  return {zip(a.actual, b.actual, f),
          Naive<double>::make(shape, [&](ShapeRef i) {
            return f(at(a.expected, i), at(b.expected, i));
          })};
}

template <class T, class F>
static WidePair<T> mapped(const WidePair<T> &a, F f) {
  Naive<double> result = a.expected;
  for (double &value : result.values)
    value = f(value);
  return {map(a.actual, f), result};
}

/// Constants of the type itself: some are declared wide, all behave so once
/// they meet a wide one.
template <class T> static WidePair<T> constant(Random &random, ShapeRef shape) {
  Naive<T> x = randomTensor<T>(random, shape);
  Elements actual = x.elements();
  return {random.integer(0, 1) ? actual.widened() : actual, inDouble(x)};
}

namespace {
/// Every kind of view and of data movement, applied at random.
template <class T> struct Mover {
  Random &random;
  WidePair<T> x;

  void transpose() {
    Shape perm = random.permutation(x.expected.shape.size());
    Shape shape;
    for (int64_t p : perm)
      shape.push_back(x.expected.shape[p]);
    move(x.actual.transpose(perm), shape, [&](ShapeRef i) {
      Shape from(i.size());
      for (size_t d = 0; d < i.size(); ++d)
        from[perm[d]] = i[d];
      return from;
    });
  }
  void slice() {
    size_t rank = x.expected.shape.size();
    Shape starts(rank), sizes(rank), steps(rank, 1);
    for (size_t d = 0; d < rank; ++d) {
      sizes[d] = x.expected.shape[d];
      if (random.integer(0, 1)) {
        steps[d] = -1;
        starts[d] = sizes[d] - 1;
      }
    }
    move(x.actual.slice(starts, sizes, steps), sizes, [&](ShapeRef i) {
      Shape from(i);
      for (size_t d = 0; d < rank; ++d)
        from[d] = starts[d] + i[d] * steps[d];
      return from;
    });
  }
  void flatten() {
    x.expected.shape = {x.actual.size()};
    x.actual = x.actual.reshape(x.expected.shape);
  }
  void unflatten(ShapeRef shape) {
    x.actual = x.actual.reshape(shape);
    x.expected.shape = Shape(shape);
  }
  void concat() {
    Shape shape = x.expected.shape;
    int64_t n = shape[0];
    shape[0] = 2 * n;
    move(ops::concat({x.actual, x.actual}, 0), shape, [&](ShapeRef i) {
      Shape from(i);
      from[0] %= n;
      return from;
    });
    crop(n);
  }
  void tile() {
    Shape repeats(x.expected.shape.size(), 1), shape = x.expected.shape;
    int64_t n = shape[0];
    repeats[0] = 3;
    shape[0] = 3 * n;
    move(ops::tile(x.actual, repeats), shape, [&](ShapeRef i) {
      Shape from(i);
      from[0] %= n;
      return from;
    });
    crop(n);
  }
  void gather() {
    Naive<int64_t> indices =
        Naive<int64_t>::make({x.expected.shape[0]}, [&](ShapeRef) {
          return random.integer(0, x.expected.shape[0] - 1);
        });
    move(ops::gather(x.actual, indices.elements(), 0), x.expected.shape,
         [&](ShapeRef i) {
           Shape from(i);
           from[0] = indices({i[0]});
           return from;
         });
  }
  void materialize() { x.actual = std::move(x.actual).materialize(); }

  WidePair<T> moved() {
    any();
    return x;
  }

  void any() {
    switch (random.integer(0, 7)) {
    case 0:
      return transpose();
    case 1:
      return slice();
    case 2: {
      Shape shape = x.expected.shape;
      flatten();
      return unflatten(shape);
    }
    case 3:
      return concat();
    case 4:
      return tile();
    case 5:
      return gather();
    case 6:
      return materialize();
    default:
      return;
    }
  }

private:
  void move(const Elements &moved, ShapeRef shape,
            const std::function<Shape(ShapeRef)> &from) {
    Naive<double> old = x.expected;
    x.actual = moved;
    x.expected =
        Naive<double>::make(shape, [&](ShapeRef i) { return old(from(i)); });
  }
  /// Half of what has become longer.
  void crop(int64_t n) {
    Shape shape = x.expected.shape;
    shape[0] = n;
    move(x.actual.slice(0, 1, n), shape, [&](ShapeRef i) {
      Shape from(i);
      ++from[0];
      return from;
    });
  }
};

template <class T> class WideOf : public testing::Test {};
using WideTypes = testing::Types<Float16, BFloat16, float>;
TYPED_TEST_SUITE(WideOf, WideTypes);
} // namespace

// Random chains, longer than a program may be, of arithmetic on broadcast
// operands and of data movement: the doubles, rounded once.
TYPED_TEST(WideOf, ChainsAreDoubleArithmeticRoundedOnce) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(1, 3), 2, 6);
    WidePair<T> x = constant<T>(random, shape);
    x.actual = x.actual.widened();
    for (int i = 0; i < 45; ++i) {
      Shape other = x.expected.shape;
      for (int64_t &n : other)
        n = random.integer(0, 2) ? n : 1;
      WidePair<T> operand = constant<T>(random, other);
      switch (random.integer(0, 3)) {
      case 0:
        x = zipped<T>(x, operand, AddOp());
        break;
      case 1:
        x = zipped<T>(operand, x, AddOp());
        break;
      case 2:
        x = mapped<T>(x, [](auto v) { return v * decltype(v)(0.1); });
        break;
      default:
        x = zipped<T>(x, operand, MulOp());
      }
      if (i % 3 == 0)
        x = Mover<T>{random, x}.moved();
      if (random.integer(0, 9) == 0) {
        ASSERT_NO_FATAL_FAILURE(x.check("in the middle"));
      }
    }
    ASSERT_NO_FATAL_FAILURE(x.check("at the end"));
  }
}

/// Sum of a[i, k] * b[k, j], each exact in double.
static Naive<double> naiveProduct(const Naive<double> &a,
                                  const Naive<double> &b) {
  return Naive<double>::make({a.shape[0], b.shape[1]}, [&](ShapeRef i) {
    double sum = 0;
    for (int64_t k = 0; k < a.shape[1]; ++k)
      sum += a({i[0], k}) * b({k, i[1]});
    return sum;
  });
}

static Naive<double> naiveColumnSums(const Naive<double> &x) {
  return Naive<double>::make({x.shape[1]}, [&](ShapeRef i) {
    double sum = 0;
    for (int64_t r = 0; r < x.shape[0]; ++r)
      sum += x({r, i[0]});
    return sum;
  });
}

// Products, sums, running sums, scattered sums, one after the other: nothing is
// rounded on the way, whatever is deferred and whatever is computed at once.
TYPED_TEST(WideOf, EagerOperationsKeepPrecision) {
  using T = TypeParam;
  int64_t differences = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Random random(seed);
    // Large ones are deferred, small ones are computed when they are made.
    int64_t rows = seed % 4 == 0 ? 400 : random.integer(1, 9);
    int64_t depth = random.integer(1, 9), cols = seed % 4 == 0 ? 30 : 5;
    Naive<T> a = randomTensor<T>(random, {rows, depth}),
             b = randomTensor<T>(random, {depth, cols}),
             c = randomTensor<T>(random, {cols});
    Elements wideA = a.elements().widened();
    WidePair<T> product = {matmul(wideA, b.elements()),
                           naiveProduct(inDouble(a), inDouble(b))};
    ASSERT_NO_FATAL_FAILURE(product.check("matmul"));
    WidePair<T> offset =
        zipped<T>(product, {c.elements(), inDouble(c)}, AddOp());
    Elements same = gemm(wideA, b.elements(), c.elements(), {});
    ASSERT_NO_FATAL_FAILURE((WidePair<T>{same, offset.expected}.check("gemm")));
    WidePair<T> sums = {reduce(offset.actual, {0}, false, Reduction::Sum),
                        naiveColumnSums(offset.expected)};
    ASSERT_NO_FATAL_FAILURE(sums.check("sum"));
    WidePair<T> running = {cumulativeSum(sums.actual, 0), sums.expected};
    for (int64_t i = 1; i < cols; ++i)
      running.expected.values[i] += running.expected.values[i - 1];
    ASSERT_NO_FATAL_FAILURE(running.check("cumulativeSum"));
    Naive<int64_t> first =
        Naive<int64_t>::make({cols}, [](ShapeRef) { return 0; });
    WidePair<T> scattered = {scatterElements(running.actual, first.elements(),
                                             sums.actual, 0,
                                             ScatterReduction::Add),
                             running.expected};
    for (double value : sums.expected.values)
      scattered.expected.values[0] += value;
    ASSERT_NO_FATAL_FAILURE(scattered.check("scatterElements"));
    Elements exact = cumulativeSum(
        reduce(matmul(a.elements(), b.elements()), {0}, false, Reduction::Sum),
        0);
    differences += !exact.identicalTo(
        cumulativeSum(reduce(product.actual, {0}, false, Reduction::Sum), 0));
  }
  EXPECT_GT(differences, 0) << "the test cannot tell the modes apart";
}

// 1e30 * 1e30 is no float; its root is.
TEST(Wide, OverflowInTheMiddle) {
  Elements x = Elements::fromValues<float>({2}, {1e30f, 4});
  auto root = [](const Elements &e) {
    return map(zip(e, e, MulOp()), SqrtOp());
  };
  expectValues<float>(root(x), {2}, {floatInfinity, 4});
  expectValues<float>(root(x.widened()), {2}, {1e30f, 4});
  // What is read in the middle overflows, and does not spoil what follows.
  Elements square = zip(x.widened(), x.widened(), MulOp());
  expectValues<float>(square, {2}, {floatInfinity, 16});
  expectValues<float>(map(square, SqrtOp()), {2}, {1e30f, 4});
  Elements half = Elements::fromValues<Float16>({}, {convert<Float16>(300.0f)});
  EXPECT_EQ(root(half).number().to<float>(), floatInfinity);
  EXPECT_EQ(root(half.widened()).number().to<float>(), 300);
}

TEST(Wide, SpecialValues) {
  Elements x = Elements::fromValues<float>(
                   {5}, {-0.0f, 0.0f, floatInfinity, -floatInfinity, NAN})
                   .widened();
  expectValues<float>(map(x, [](auto v) { return negate(v); }), {5},
                      {0.0f, -0.0f, -floatInfinity, floatInfinity, NAN});
  Elements zero = zip(x, Elements::splat<float>({}, 0), MulOp());
  expectValues<float>(zero, {5}, {-0.0f, 0.0f, NAN, NAN, NAN});
  // Too small for a float, of either sign.
  Elements tiny = Elements::fromValues<float>({2}, {-1e-30f, 1e-30f}).widened();
  Elements product = zip(tiny, Elements::splat<float>({}, 1e-30f), MulOp());
  expectValues<float>(product, {2}, {-0.0f, 0.0f});
  expectValues<float>(zip(Elements::splat<float>({}, 1e-30f), product,
                          [](auto a, auto b) { return b / a; }),
                      {2}, {-1e-30f, 1e-30f});
}

TEST(Wide, SplatsEmptyAndScalars) {
  auto tenths = [](Elements x) {
    for (int i = 0; i < 9; ++i)
      x = zip(x, Elements::splat<float>({}, 0.1f), AddOp());
    return x;
  };
  double sum = double(0.1f);
  for (int i = 0; i < 9; ++i)
    sum += double(0.1f);
  Elements splat = tenths(Elements::splat<float>({3000, 1000}, 0.1f).widened());
  EXPECT_TRUE(splat.isWide() && splat.isSplat());
  EXPECT_LE(splat.retainedBytes(), 16u) << "one element is all there is";
  EXPECT_EQ(splat.value<float>(123456), float(sum));
  EXPECT_EQ(splat.unrounded().value<double>(7), sum);
  Elements scalar = tenths(Elements::splat<float>({}, 0.1f).widened());
  expectValues<float>(scalar, {}, {float(sum)});
  EXPECT_NE(scalar.value<float>(),
            tenths(Elements::splat<float>({}, 0.1f)).value<float>());
  for (const Shape &shape : {Shape{0}, Shape{3, 0, 2}}) {
    Elements empty = tenths(Elements::splat<float>(shape, 1).widened());
    EXPECT_TRUE(empty.isWide());
    expectValues<float>(empty, shape, {});
    expectValues<float>(concat({empty, empty}, 0).reshape({0}), {0}, {});
  }
  expectValues<float>(reduce(Elements::splat<float>({0, 2}, 1).widened(), {0},
                             false, Reduction::Sum),
                      {2}, {0, 0});
}

// What differs by less than a float's last bit compares as the doubles do;
// every search sees the same order as the comparisons.
TEST(Wide, ComparisonsAndSearchesDecideOnUnroundedValues) {
  Elements one = Elements::splat<float>({4}, 1);
  Elements little =
      Elements::fromValues<float>({4}, {0, 0x1p-40f, 0x1p-30f, 0x1p-35f});
  Elements x = zip(one.widened(), little, AddOp());
  expectValues<float>(x, {4}, {1, 1, 1, 1});
  auto greater = [](auto a, auto b) { return a > b; };
  expectValues<bool>(zipTo<bool>(x, one, greater), {4},
                     {false, true, true, true});
  expectValues<bool>(zipTo<bool>(one, x, greater), {4},
                     {false, false, false, false});
  expectValues<bool>(mapTo<bool>(x, [](auto v) { return v > 1; }), {4},
                     {false, true, true, true});
  expectValues<int64_t>(argReduce(x, 0, false, /*largest=*/true, false), {},
                        {2});
  TopK best = topK(x, 3, 0, /*largest=*/true);
  expectValues<int64_t>(best.indices, {3}, {2, 3, 1});
  EXPECT_TRUE(best.values.isWide());
  EXPECT_EQ(best.values.unrounded().value<double>(1), 1 + 0x1p-35);
  EXPECT_EQ(reduce(x, {0}, false, Reduction::Max).unrounded().value<double>(),
            1 + 0x1p-30);
  Elements rest = zip(x, one, [](auto a, auto b) { return subtract(a, b); });
  Elements cube =
      zip(zip(rest, rest, MulOp()), zip(rest, rest, MulOp()), MulOp());
  expectValues<float>(cube, {4}, {0, 0, 0x1p-120f, 0x1p-140f});
  expectValues<int64_t>(nonZero(cube), {1, 3}, {1, 2, 3});
  expectValues<bool>(any(cube, {0}, false), {}, {true});
  expectValues<bool>(all(cube.slice(0, 1, 3), {0}, false), {}, {true});
  expectValues<int64_t>(argSort(x, 0, /*descending=*/true), {4}, {2, 3, 1, 0});
  Unique different = unique(concat({x, x}, 0));
  expectValues<int64_t>(different.first, {4}, {0, 1, 3, 2});
  EXPECT_EQ(different.values.unrounded().value<double>(3), 1 + 0x1p-30);
  // Exact mode sees equal numbers.
  Elements exact = zip(one, little, AddOp());
  expectValues<int64_t>(argReduce(exact, 0, false, true, false), {}, {0});
  EXPECT_EQ(unique(exact).values.size(), 1);
  EXPECT_EQ(unique(exact.widened()).values.size(), 1);
}

TEST(Wide, CastsRoundAndIntegersAreUnaffected) {
  // 3 - 2^-30 is 3 as a float: a cast sees 3, as a runtime would.
  Elements x = zip(Elements::fromValues<float>({1}, {3}).widened(),
                   Elements::fromValues<float>({1}, {0x1p-30f}),
                   [](auto a, auto b) { return subtract(a, b); });
  expectValues<int32_t>(cast(x, DataType::Int32), {1}, {3});
  expectValues<double>(cast(x, DataType::Float64), {1}, {3});
  expectValues<double>(x.unrounded(), {1}, {3 - 0x1p-30});
  EXPECT_FALSE(cast(x, DataType::Float16).isWide());
  for (DataType type :
       {DataType::Int32, DataType::UInt8, DataType::Int64, DataType::Float64,
        DataType::Bool, DataType::Int4, DataType::Float8E4M3FN}) {
    Elements e = cast(Elements::fromValues<int32_t>({2}, {1, 0}), type);
    EXPECT_FALSE(e.widened().isWide()) << name(type).str();
    EXPECT_TRUE(e.widened().identicalTo(e)) << name(type).str();
  }
  Elements big = Elements::fromValues<int32_t>({1}, {INT32_MAX}).widened();
  expectValues<int32_t>(zip(big, big, AddOp()), {1}, {-2});
}

// Pow's exponent may have another type than its base, wide or not.
TEST(Wide, OperandsOfTwoTypes) {
  Elements third = zip(Elements::fromValues<float>({}, {1}).widened(),
                       Elements::fromValues<float>({}, {3}), DivOp());
  Elements base = Elements::fromValues<double>({}, {8});
  Elements root = zipWide(base, third, wide::pow);
  EXPECT_EQ(root.type(), DataType::Float64);
  EXPECT_EQ(root.value<double>(), 2) << "not the power of the rounded 1/3";
  EXPECT_FALSE(root.isWide());
  Elements ints = Elements::fromValues<int32_t>({}, {3});
  Elements cube = zipWide(third, ints, wide::pow);
  EXPECT_EQ(cube.type(), DataType::Float32);
  EXPECT_TRUE(cube.isWide());
  EXPECT_DOUBLE_EQ(cube.unrounded().value<double>(), 1.0 / 27);
}

// Vector functions make infinities of the largest doubles to the power of 1.
TEST(Wide, PowerOfOneIsTheBase) {
  double largest = std::numeric_limits<double>::max();
  double next = std::nextafter(largest, 0.0);
  std::vector<double> bases = {largest, -largest, next, -next, -0.0, 0x1p-1074};
  Elements x = Elements::fromValues<double>({6}, bases);
  Elements one = Elements::fromValues<double>({}, {1}).expand({6});
  Elements power = zipWide(x, one, wide::pow);
  EXPECT_EQ(power.values<double>(), bases);
  EXPECT_TRUE(std::signbit(power.values<double>()[4]));
}

// A constant that is only moved keeps its bytes (a cast to double and back
// would make a signalling NaN a quiet one), its place, and its size in memory.
TEST(Wide, MovedConstantsAreUntouched) {
  uint32_t bits[] = {0x7fa00001, 0x3f800000, 0xffa00002, 0x80000000};
  float values[4];
  std::memcpy(values, bits, sizeof(bits));
  Elements x =
      Elements::fromValues<float>({2, 2}, llvm::ArrayRef<float>(values));
  Elements wide = x.widened();
  EXPECT_EQ(Elements::Reader(wide).contiguous(),
            Elements::Reader(x).contiguous());
  auto all = [](const Elements &e) {
    Elements condition = Elements::fromValues<bool>({2, 1}, {true, false});
    Elements indices = Elements::fromValues<int64_t>({2}, {1, 0});
    Elements moved = concat({e.transpose({1, 0}), pad(e, {1, 0}, {0, 0})}, 0);
    moved = gather(tile(moved, {1, 2}), indices, 0);
    return select(condition, moved, trilu(moved.slice(1, 0, 4), true))
        .materialize();
  };
  EXPECT_TRUE(all(wide).isWide());
  EXPECT_TRUE(all(wide).identicalTo(all(x)));
  Elements large = Elements::splat<float>({1000, 1000}, 1).materialize();
  Elements moved = concat({large.widened(), large}, 0).materialize();
  EXPECT_EQ(moved.retainedBytes(), 8'000'000u);
}

TEST(Wide, SameBytesWithAnyNumberOfThreads) {
  Random random(1);
  Naive<float> values = Naive<float>::make(
      {700, 300}, [&](ShapeRef) { return float(random.real(-3, 3)); });
  auto run = [&] {
    Elements x = values.elements().widened();
    Elements y = matmul(mapWide(x, wide::tanh), x.transpose({1, 0}));
    return softmax(zip(y, reduce(y, {1}, true, Reduction::Mean), DivOp()), 1)
        .narrowed()
        .materialize();
  };
  Elements alone = run();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  ParallelScope scope(pool);
  EXPECT_TRUE(run().identicalTo(alone));
}
