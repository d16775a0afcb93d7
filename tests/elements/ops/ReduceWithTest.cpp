//===- ReduceWithTest.cpp - Reductions and scans with any monoid ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/ReduceWith.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {
/// x -> a * x + b in 32 bits each, one after the other: associative, and not
/// commutative, so that every wrong order shows.
struct Affine {
  static uint64_t make(uint32_t a, uint32_t b) { return uint64_t(a) << 32 | b; }
  uint64_t operator()(uint64_t f, uint64_t g) const {
    uint32_t a = f >> 32, b = f, c = g >> 32, d = g;
    return make(a * c, c * b + d);
  }
  static constexpr uint64_t identity = uint64_t(1) << 32;
};
} // namespace

/// combine over the reduced elements of each result, in row-major order.
template <class T, class F>
static Naive<T> naiveReduce(const Naive<T> &x, ShapeRef axes, bool keepDims,
                            T identity, F combine) {
  Naive<T> kept = Naive<T>::make(reducedShape(x.shape, axes, true),
                                 [&](ShapeRef) { return identity; });
  Naive<int>::make(x.shape, [&](ShapeRef index) {
    Shape to(index);
    for (int64_t axis : axes)
      to[axis] = 0;
    T &sum = kept.values[kept.at(to)];
    sum = combine(sum, x(index));
    return 0;
  });
  return {reducedShape(x.shape, axes, keepDims), kept.values};
}

static Shape axesToCombine(Random &random, int64_t rank) {
  Shape axes;
  for (int64_t d = 0; d < rank; ++d)
    if (random.integer(0, 1))
      axes.push_back(d);
  return axes;
}

TEST(ReduceWith, InOrderForAllShapes) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(0, 4), seed % 6 != 0, 7);
    if (seed % 20 == 11)
      shape = {3, 5000, 2}; // several leaves
    if (seed % 20 == 12)
      shape = {2, 70000}; // several segments
    auto x =
        Naive<uint64_t>::make(shape, [&](ShapeRef) { return random.engine(); });
    Shape axes = axesToCombine(random, shape.size());
    bool keepDims = random.integer(0, 1);
    Elements e = x.elements();
    if (seed % 3 == 1) {
      Shape perm = random.permutation(shape.size()), inverse(perm);
      for (size_t d = 0; d < perm.size(); ++d)
        inverse[perm[d]] = d;
      e = e.transpose(perm).materialize().transpose(inverse);
    }
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(1 + seed % 3));
    ParallelScope scope(pool);
    expectEqual(
        reduceWith<uint64_t>(e, axes, keepDims, Affine::identity, Affine()),
        naiveReduce(x, axes, keepDims, Affine::identity, Affine()));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(ReduceWith, EveryElementType) {
  using C = std::complex<double>;
  Elements c = Elements::fromValues<C>({2, 2}, {C(0, 1), 2, C(0, 1), C(0, 3)});
  expectValues<C>(reduceWith<C>(c, {0}, true, 1.0, std::multiplies<C>()),
                  {1, 2}, {-1, C(0, 6)});
  Elements s = Elements::fromStrings({2, 2}, {"a", "bcd", "ef", "g"});
  auto longer = [](auto a, auto b) { return b.size() > a.size() ? b : a; };
  Elements longest = reduceWith<llvm::StringRef>(s, {1}, false, "", longer);
  s = {};
  expectValues<llvm::StringRef>(longest, {2}, {"bcd", "ef"});
  Elements h =
      cast(Elements::fromValues<float>({3}, {1, 3, 2}), DataType::Float16);
  auto first = [](Float16 a, Float16 b) { return a.bits ? a : b; };
  EXPECT_EQ(
      reduceWith<Float16>(h, {0}, false, Float16{}, first).number().to<float>(),
      1);
  // A combination that carries a state is kept as long as the result needs it.
  auto modulus = std::make_shared<int64_t>(7);
  Elements big = Elements::splat<int64_t>({20000, 2}, 3);
  Elements product =
      reduceWith<int64_t>(big, {1}, false, 1, [modulus](int64_t a, int64_t b) {
        return a * b % *modulus;
      });
  modulus.reset();
  EXPECT_TRUE(product.identicalTo(Elements::splat<int64_t>({20000}, 2)));
  EXPECT_EQ(reduceWith<bool>(Elements::fromValues<bool>({0}, {}), {0}, false,
                             true, std::logical_and<bool>())
                .value<bool>(),
            true);
}

//===----------------------------------------------------------------------===//
// Bits and truth values
//===----------------------------------------------------------------------===//

namespace {
template <class T> class Bits : public testing::Test {};
using WrappingIntegers = testing::Types<int8_t, uint8_t, int16_t, uint16_t,
                                        int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(Bits, WrappingIntegers);
} // namespace

TYPED_TEST(Bits, AndOrXor) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(0, 4), seed % 6 != 0, 7);
    auto x =
        Naive<T>::make(shape, [&](ShapeRef) { return T(random.engine()); });
    Shape axes = axesToCombine(random, shape.size());
    bool keepDims = random.integer(0, 1);
    auto expected = [&](T identity, auto combine) {
      return naiveReduce(x, axes, keepDims, identity, combine);
    };
    Elements e = x.elements();
    expectEqual(reduce(e, axes, keepDims, Reduction::And),
                expected(T(-1), std::bit_and<T>()));
    expectEqual(reduce(e, axes, keepDims, Reduction::Or),
                expected(T(0), std::bit_or<T>()));
    expectEqual(reduce(e, axes, keepDims, Reduction::Xor),
                expected(T(0), std::bit_xor<T>()));
    if (this->HasFatalFailure())
      return;
  }
}

TEST(Reduce, TruthValues) {
  Elements x =
      Elements::fromValues<bool>({2, 3}, {true, false, true, true, true, true});
  expectValues<bool>(reduce(x, {1}, false, Reduction::And), {2}, {false, true});
  expectValues<bool>(reduce(x, {0}, false, Reduction::Or), {3},
                     {true, true, true});
  expectValues<bool>(reduce(x, {1}, true, Reduction::Xor), {2, 1},
                     {false, true});
  Elements none = Elements::fromValues<bool>({0}, {});
  EXPECT_TRUE(reduce(none, {0}, false, Reduction::And).value<bool>());
  EXPECT_FALSE(reduce(none, {0}, false, Reduction::Or).value<bool>());
  EXPECT_FALSE(reduce(none, {0}, false, Reduction::Xor).value<bool>());
  EXPECT_FALSE(bool(reduce(Elements::fromValues<float>({1}, {1}), {0}, false,
                           Reduction::And)));
  // numpy.all and numpy.any: NaN is true, -0 is not.
  Elements f = Elements::fromValues<float>({2, 2}, {NAN, 1, 0, -0.0f});
  expectValues<bool>(all(f, {1}, false), {2}, {true, false});
  expectValues<bool>(any(f, {1}, false), {2}, {true, false});
  expectValues<bool>(all(f, {0}, true), {1, 2}, {false, false});
  expectValues<bool>(any(f, {0}, true), {1, 2}, {true, true});
  expectValues<bool>(any(Elements::fromStrings({2}, {"", "x"}), {0}, false), {},
                     {true});
  expectValues<bool>(all(Elements::fromValues<int8_t>({}, {2}), {}, false), {},
                     {true});
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

template <class T, class F>
static Naive<T> naiveScan(const Naive<T> &x, int64_t axis, T identity,
                          F combine, bool exclusive, bool reverse) {
  return Naive<T>::make(x.shape, [&](ShapeRef index) {
    int64_t n = x.shape[axis],
            last = reverse ? n - 1 - index[axis] : index[axis];
    T sum = identity;
    Shape at(index);
    for (int64_t i = 0; i < last + !exclusive; ++i) {
      at[axis] = reverse ? n - 1 - i : i;
      sum = combine(sum, x(at));
    }
    return sum;
  });
}

TEST(ScanWith, InOrderForAllShapes) {
  for (unsigned seed = 0; seed < 120; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(1, 4), seed % 6 != 0, 7);
    if (seed % 30 == 11)
      shape = {2, 300, 17}; // several pieces of rows
    if (seed % 30 == 12)
      shape = {30, 5000}; // several slices of columns
    if (seed % 30 == 13)
      shape = {9000}; // several pieces of a row
    int64_t axis = random.integer(0, shape.size() - 1);
    if (seed % 30 >= 11 && seed % 30 <= 13)
      axis = seed % 30 == 11;
    auto x =
        Naive<uint64_t>::make(shape, [&](ShapeRef) { return random.engine(); });
    bool exclusive = random.integer(0, 1), reverse = random.integer(0, 1);
    Elements e = x.elements();
    if (seed % 3 == 1) {
      Shape perm = random.permutation(shape.size()), inverse(perm);
      for (size_t d = 0; d < perm.size(); ++d)
        inverse[perm[d]] = d;
      e = e.transpose(perm).materialize().transpose(inverse);
    }
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(1 + seed % 3));
    ParallelScope scope(pool);
    expectEqual(
        scanWith<uint64_t>(e, axis, Affine::identity, Affine(), exclusive,
                           reverse),
        naiveScan(x, axis, Affine::identity, Affine(), exclusive, reverse));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(ScanWith, RunningMaximumOfStrings) {
  Elements s = Elements::fromStrings({4}, {"b", "a", "c", ""});
  auto later = [](auto a, auto b) { return std::max(a, b); };
  Elements m = scanWith<llvm::StringRef>(s, 0, "", later);
  s = {};
  expectValues<llvm::StringRef>(m, {4}, {"b", "b", "c", "c"});
}

TEST(Cumulative, RandomShapesAndTypes) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(1, 4), seed % 6 != 0, 7);
    if (seed % 10 == 9)
      shape = {3, 2100, 2};
    int64_t axis = random.integer(0, shape.size() - 1);
    bool exclusive = random.integer(0, 1), reverse = random.integer(0, 1);
    auto x = Naive<float>::make(
        shape, [&](ShapeRef) { return float(random.integer(-9, 9)); });
    // Whole numbers: exact in every type.
    Naive<float> sums =
        naiveScan(x, axis, 0.0f, std::plus<float>(), exclusive, reverse);
    for (DataType type : {DataType::Float32, DataType::Float64,
                          DataType::Float16, DataType::Int8, DataType::Int64}) {
      Elements e = cast(x.elements(), type);
      Elements y = cumulativeSum(e, axis, exclusive, reverse);
      ASSERT_EQ(y.type(), type);
      // WrappingIntegers of 8 bits wrap; f16 is exact up to 2048.
      Elements expected = cast(cast(sums.elements(), DataType::Int64), type);
      if (type == DataType::Float16)
        expected = cast(sums.elements(), type);
      ASSERT_TRUE(
          zipTo<bool>(y, expected, [](auto a, auto b) { return a == b; })
              .identicalTo(Elements::splat<bool>(shape, true)))
          << name(type).str();
    }
  }
}

// -0 is what a sum of -0 is; a sum of nothing is 0.
TEST(Cumulative, SignsOfZero) {
  Elements x = Elements::fromValues<float>({2}, {-0.0f, -0.0f});
  expectValues<float>(cumulativeSum(x, 0), {2}, {-0.0f, -0.0f});
  expectValues<float>(cumulativeSum(x, 0, true), {2}, {0.0f, -0.0f});
  expectValues<float>(cumulativeSum(x, 0, true, true), {2}, {-0.0f, 0.0f});
}
