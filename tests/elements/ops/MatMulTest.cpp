//===- MatMulTest.cpp - Matrix products -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// The sum of the products, floats in 80 bits and rounded once.
template <class T>
static T naiveDot(const std::function<T(int64_t)> &a,
                  const std::function<T(int64_t)> &b, int64_t depth) {
  if constexpr (std::is_integral_v<T>) {
    uint64_t sum = 0;
    for (int64_t k = 0; k < depth; ++k)
      sum += uint64_t(a(k)) * uint64_t(b(k));
    return T(sum);
  } else if constexpr (isComplex(dataTypeOf<T>)) {
    long double real = 0, imag = 0;
    for (int64_t k = 0; k < depth; ++k) {
      std::complex<long double> x(a(k)), y(b(k));
      real += x.real() * y.real() - x.imag() * y.imag();
      imag += x.real() * y.imag() + x.imag() * y.real();
    }
    using Part = typename T::value_type;
    return T(Part(double(real)), Part(double(imag)));
  } else {
    long double total = 0;
    for (int64_t k = 0; k < depth; ++k)
      total += (long double)(convert<double>(a(k))) * convert<double>(b(k));
    return convert<T>(double(total));
  }
}

template <class T>
static Naive<T> randomMatrix(Random &random, ShapeRef shape) {
  return Naive<T>::make(shape, [&](ShapeRef) {
    if constexpr (std::is_integral_v<T>)
      return T(random.engine());
    else if constexpr (isComplex(dataTypeOf<T>))
      return T(random.real(-2, 2), random.real(-2, 2));
    else
      return convert<T>(random.real(-2, 2));
  });
}

namespace {
template <class T> class MatMul : public testing::Test {};
using FactorTypes =
    testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,
                   int64_t, uint64_t, Float16, BFloat16, float, double,
                   std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MatMul, FactorTypes);
} // namespace

template <class T>
static Naive<T> naiveMatmul(const Naive<T> &a, const Naive<T> &b) {
  Shape shape = *matmulShape(a.shape, b.shape);
  int64_t depth = a.shape.back();
  return Naive<T>::make(shape, [&](ShapeRef index) {
    Shape left, right;
    ShapeRef rest = index;
    int64_t row = 0, col = 0;
    if (b.shape.size() > 1) {
      col = rest.back();
      rest = rest.drop_back();
    }
    if (a.shape.size() > 1) {
      row = rest.back();
      rest = rest.drop_back();
    }
    auto batch = [&](const Naive<T> &x) {
      Shape at;
      for (size_t d = 0; d + 2 < x.shape.size(); ++d)
        at.push_back(
            x.shape[d] == 1 ? 0 : rest[rest.size() - (x.shape.size() - 2) + d]);
      return at;
    };
    auto ofA = [&](int64_t k) {
      Shape at = batch(a);
      if (a.shape.size() > 1)
        at.push_back(row);
      at.push_back(k);
      return a(at);
    };
    auto ofB = [&](int64_t k) {
      Shape at = batch(b);
      at.push_back(k);
      if (b.shape.size() > 1)
        at.push_back(col);
      return b(at);
    };
    return naiveDot<T>(ofA, ofB, depth);
  });
}

/// How many results narrower than double were compared, and differed at all.
static int64_t compared = 0, differing = 0;

/// Integers are exact. Sums in double are within depth * 2^-53 of the sum of
/// absolute products (at most 4 each), and then rounded to the type.
template <class T>
static void expectProduct(const Elements &actual, const Naive<T> &expected,
                          int64_t depth) {
  if constexpr (std::is_integral_v<T>) {
    expectEqual(actual, expected);
  } else if constexpr (isComplex(dataTypeOf<T>)) {
    ASSERT_EQ(actual.shape(), ShapeRef(expected.shape));
    double bound = double(depth + 1) * depth * 8 * 0x1p-53;
    double ulp = std::is_same_v<T, std::complex<float>> ? 0x1p-23 : 0x1p-52;
    std::vector<T> values = actual.values<T>();
    for (size_t i = 0; i < values.size(); ++i) {
      T want = expected.values[i], difference = values[i] - want;
      for (auto [error, size] : {std::pair{difference.real(), want.real()},
                                 std::pair{difference.imag(), want.imag()}})
        ASSERT_LE(std::fabs(error), bound + ulp * std::fabs(size)) << i;
    }
  } else {
    ASSERT_EQ(actual.shape(), ShapeRef(expected.shape));
    std::vector<T> values = actual.values<T>();
    double bound = double(depth) * depth * 4 * 0x1p-53;
    for (size_t i = 0; i < values.size(); ++i) {
      double y = convert<double>(values[i]),
             want = convert<double>(expected.values[i]);
      double ulp = std::is_same_v<T, double>    ? 0
                   : std::is_same_v<T, float>   ? 0x1p-23
                   : std::is_same_v<T, Float16> ? 0x1p-10
                                                : 0x1p-7;
      // Rounded alike but where the exact sum is that close to a midpoint.
      ASSERT_LE(std::fabs(y - want), bound + ulp * std::fabs(want)) << i;
      differing += y != want && !std::is_same_v<T, double>;
      ++compared;
    }
  }
}

TYPED_TEST(MatMul, SumsOfProducts) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 50; ++seed) {
    Random random(seed);
    int64_t rows = random.integer(seed % 8 != 0, 20),
            depth = random.integer(0, 20);
    int64_t cols = random.integer(seed % 9 != 0, 40);
    if (seed == 0) {
      rows = 131;
      depth = 261;
      cols = 270;
    }
    Shape a = {rows, depth}, b = {depth, cols};
    Shape batch =
        seed == 0 ? Shape{} : random.shape(random.integer(0, 2), 1, 3);
    auto withBatch = [&](Shape &shape) {
      Shape own = batch;
      for (int64_t &n : own)
        if (random.integer(0, 2) == 0)
          n = 1;
      if (!own.empty() && random.integer(0, 1))
        own.erase(own.begin());
      shape.insert(shape.begin(), own.begin(), own.end());
    };
    withBatch(a);
    withBatch(b);
    if (seed % 7 == 3)
      a = {depth};
    if (seed % 7 == 4)
      b = {depth};
    Naive<T> x = randomMatrix<T>(random, a), y = randomMatrix<T>(random, b);
    expectProduct(matmul(x.elements(), y.elements()), naiveMatmul(x, y), depth);
    if (this->HasFatalFailure())
      return;
  }
}

// The double sum decides the rounding of nearly every narrower result.
TEST(MatMul, NarrowResultsAreRoundedOnce) {
  EXPECT_LE(differing * 10000, compared);
}

TEST(MatMul, Shapes) {
  EXPECT_EQ(matmulShape({2, 3}, {3, 4}), Shape({2, 4}));
  EXPECT_EQ(matmulShape({3}, {3}), Shape({}));
  EXPECT_EQ(matmulShape({5, 1, 2, 3}, {7, 3, 4}), Shape({5, 7, 2, 4}));
  EXPECT_EQ(matmulShape({2, 3}, {2, 3}), std::nullopt);
  EXPECT_EQ(matmulShape({}, {3}), std::nullopt);
  EXPECT_EQ(matmulShape({2, 2, 3}, {3, 3, 4}), std::nullopt);
  EXPECT_FALSE(bool(matmul(Elements::splat<bool>({1, 1}, true),
                           Elements::splat<bool>({1, 1}, true))));
}

TEST(MatMul, ThreadsAndViewsGiveTheSameBits) {
  Random random(5);
  Naive<float> a = randomMatrix<float>(random, {200, 150});
  Naive<float> b = randomMatrix<float>(random, {150, 300});
  Elements expected = matmul(a.elements(), b.elements()).materialize();
  Elements viewed = b.elements().transpose({1, 0}).materialize();
  for (unsigned threads : {1u, 2u, 7u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    EXPECT_TRUE(
        matmul(a.elements(), viewed.transpose({1, 0})).identicalTo(expected));
    EXPECT_TRUE(
        gemm(a.elements(), viewed, {}, {.transB = true}).identicalTo(expected));
  }
}

TEST(Gemm, AlphaBetaAndC) {
  Elements a = Elements::fromValues<float>({2, 2}, {1, 2, 3, 4});
  Elements b = Elements::fromValues<float>({2, 2}, {1, 0, 1, 1});
  Elements c = Elements::fromValues<float>({2}, {10, 20});
  expectValues<float>(gemm(a, b, {}, {}), {2, 2}, {3, 2, 7, 4});
  expectValues<float>(gemm(a, b, c, {}), {2, 2}, {13, 22, 17, 24});
  expectValues<float>(gemm(a, b, c.reshape({2, 1}), {.alpha = 2, .beta = 0.5}),
                      {2, 2}, {11, 9, 24, 18});
  expectValues<float>(gemm(a, b, {}, {.transA = true}), {2, 2}, {4, 3, 6, 4});
  expectValues<float>(gemm(a, b, {}, {.transB = true}), {2, 2}, {1, 3, 3, 7});
  // 1 + 2^-24 is not rounded before C is added.
  Elements one = Elements::fromValues<float>({1, 2}, {1, 0x1p-24f});
  Elements ones = Elements::fromValues<float>({2, 1}, {1, 1});
  expectValues<float>(
      gemm(one, ones, Elements::fromValues<float>({}, {-1}), {}), {1, 1},
      {0x1p-24f});
}

TEST(Gemm, ComplexNumbers) {
  using C = std::complex<float>;
  Elements a = Elements::fromValues<C>({1, 2}, {C(1, 1), C(0, 2)});
  Elements b = Elements::fromValues<C>({1, 2}, {C(2, 0), C(1, -1)});
  Elements c = Elements::fromValues<C>({1}, {C(0, 10)});
  // (1 + i) * 2 + 2i * (1 - i) = 4 + 4i
  expectValues<C>(gemm(a, b, c, {.alpha = 0.5, .beta = 2, .transB = true}),
                  {1, 1}, {C(2, 22)});
  // An infinity times i: its real part is not looked for.
  C infinite(INFINITY, 0);
  Elements d = Elements::fromValues<C>({1, 1}, {infinite});
  Elements e = Elements::fromValues<C>({1, 1}, {C(0, 1)});
  C product = matmul(d, e).value<C>();
  EXPECT_TRUE(std::isnan(product.real()));
  EXPECT_EQ(product.imag(), INFINITY);
}

TEST(Gemm, IntegersWrapAndEmptySums) {
  Elements a = Elements::fromValues<int32_t>({1, 2}, {INT32_MAX, 1});
  Elements b = Elements::fromValues<int32_t>({2, 1}, {2, 1});
  Elements c = Elements::fromValues<int32_t>({1}, {5});
  expectValues<int32_t>(gemm(a, b, c, {.alpha = 3, .beta = -1}), {1, 1},
                        {-3 - 5});
  Elements left = Elements::fromValues<float>({2, 0}, {});
  Elements right = Elements::fromValues<float>({0, 2}, {});
  expectValues<float>(
      gemm(left, right, Elements::fromValues<float>({}, {7}), {}), {2, 2},
      {7, 7, 7, 7});
  expectValues<float>(matmul(right, left), {0, 0}, {});
}
