//===- FourierTest.cpp - Discrete Fourier transforms ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Random signals against the sum of the definition in long double.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/nn/Fourier.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/Naive.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "llvm/Support/ThreadPool.h"
#include <cmath>
#include <complex>
#include <numbers>

using namespace onnxfold;
using namespace onnxfold::ops;
using Wide = std::complex<long double>;

static std::vector<Wide> naive(llvm::ArrayRef<Wide> x, bool inverse) {
  int64_t n = x.size();
  std::vector<Wide> result(n);
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t j = 0; j < n; ++j) {
      long double angle = 2 * std::numbers::pi_v<long double> * (j * k % n) / n;
      result[k] += x[j] * std::polar(1.0L, inverse ? angle : -angle);
    }
    if (inverse)
      result[k] /= n;
  }
  return result;
}

static std::vector<double> randomDoubles(Random &random, int64_t count) {
  std::vector<double> result(count);
  for (double &value : result)
    value = double(random.integer(-1'000'000, 1'000'000)) / 1e6;
  return result;
}

/// Row `row` of values [rows, n, parts].
static std::vector<Wide> rowOf(llvm::ArrayRef<double> values, int64_t row,
                               int64_t n, int64_t parts) {
  std::vector<Wide> result(n);
  for (int64_t i = 0; i < n; ++i) {
    const double *at = values.data() + (row * n + i) * parts;
    result[i] = {at[0], parts == 2 ? at[1] : 0.0};
  }
  return result;
}

/// The largest error over the root mean square of the expected row.
static double errorOf(const double *got, llvm::ArrayRef<Wide> want) {
  long double largest = 0, squares = 0;
  for (size_t k = 0; k < want.size(); ++k) {
    largest =
        std::max(largest, std::abs(Wide(got[2 * k], got[2 * k + 1]) - want[k]));
    squares += std::norm(want[k]);
  }
  return largest / std::sqrt(squares / want.size());
}

// Lengths of small factors, primes, squares of primes, and what lies between.
TEST(Fourier, IsTheSumOfItsDefinition) {
  Random random(20261122);
  for (int64_t n : {1,  2,  3,  4,  5,  6,   7,   8,   9,   10,  11, 12,
                    13, 15, 16, 25, 49, 121, 128, 210, 360, 509, 600})
    for (bool inverse : {false, true})
      for (int64_t parts : {1, 2}) {
        auto values = randomDoubles(random, 2 * n * parts);
        Elements x = Elements::fromValues<double>({2, n, parts}, values);
        auto y = fourier(x, {.length = n, .inverse = inverse}).values<double>();
        for (int64_t row = 0; row < 2; ++row)
          EXPECT_LT(errorOf(y.data() + row * n * 2,
                            naive(rowOf(values, row, n, parts), inverse)),
                    3e-15)
              << n << (inverse ? " inverse" : "") << ", " << parts << " parts";
      }
}

TEST(Fourier, HalfASpectrum) {
  Random random(7);
  for (int64_t n : {1, 2, 3, 8, 9, 14}) {
    auto values = randomDoubles(random, n);
    Elements x = Elements::fromValues<double>({1, n, 1}, values);
    Elements all = fourier(x, {.length = n});
    Elements half = fourier(x, {.length = n, .half = true});
    EXPECT_EQ(half.shape(), ShapeRef({1, n / 2 + 1, 2}));
    EXPECT_TRUE(half.identicalTo(all.slice(1, 0, n / 2 + 1)));
    auto back = fourier(half, {.length = n, .inverse = true, .half = true});
    EXPECT_EQ(back.shape(), x.shape());
    auto signal = back.values<double>();
    for (int64_t i = 0; i < n; ++i)
      EXPECT_NEAR(signal[i], values[i], 1e-15) << n;
  }
}

// A real signal's spectrum is symmetric to the last bit.
TEST(Fourier, RealSignalsAreExactlySymmetric) {
  Random random(8);
  for (int64_t n : {6, 7, 22, 25}) {
    auto values = randomDoubles(random, n);
    Elements x = Elements::fromValues<double>({1, n, 1}, values);
    auto y = fourier(x, {.length = n}).values<double>();
    EXPECT_EQ(y[1], 0);
    for (int64_t k = 1; k < n; ++k) {
      EXPECT_EQ(y[2 * k], y[2 * (n - k)]);
      EXPECT_EQ(y[2 * k + 1], -y[2 * (n - k) + 1]);
    }
  }
}

TEST(Fourier, RowsAreCutAndFilledUp) {
  Elements x = Elements::fromValues<float>({1, 3, 1}, {1, 2, 3});
  auto cut = fourier(x, {.length = 2}).values<float>();
  EXPECT_EQ(cut, (std::vector<float>{3, 0, -1, 0}));
  Elements filled = Elements::fromValues<float>({1, 4, 1}, {1, 2, 3, 0});
  EXPECT_TRUE(
      fourier(x, {.length = 4}).identicalTo(fourier(filled, {.length = 4})));
  Elements none = Elements::fromValues<float>({2, 0, 1}, {});
  EXPECT_EQ(fourier(none, {.length = 1}).values<float>(),
            (std::vector<float>{0, 0, 0, 0}));
}

TEST(Fourier, Frames) {
  Random random(9);
  int64_t batch = 2, n = 50, length = 14, step = 5, frames = 8;
  auto values = randomDoubles(random, batch * n);
  auto factors = randomDoubles(random, length);
  Elements x = Elements::fromValues<double>({batch, n, 1}, values);
  Elements window = Elements::fromValues<double>({length}, factors);
  Elements y = fourierOfFrames(x, window, step, {.length = length});
  ASSERT_EQ(y.shape(), ShapeRef({batch, frames, length, 2}));
  auto got = y.values<double>();
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t f = 0; f < frames; ++f) {
      std::vector<Wide> frame(length);
      for (int64_t i = 0; i < length; ++i)
        frame[i] = values[b * n + f * step + i] * factors[i];
      EXPECT_LT(errorOf(got.data() + (b * frames + f) * length * 2,
                        naive(frame, false)),
                3e-15);
    }
}

// The step times the parts of an element overflowed.
TEST(Fourier, AnEndlessStepLeavesOneFrame) {
  Elements x = Elements::fromValues<float>({1, 3, 2}, {1, 0, 2, 0, 5, 0});
  Elements y = fourierOfFrames(x, {}, INT64_MAX, {.length = 2});
  EXPECT_EQ(y.shape(), ShapeRef({1, 1, 2, 2}));
  EXPECT_EQ(y.values<float>(), (std::vector<float>{3, 0, -1, 0}));
}

TEST(Fourier, RowsWithNanAreNan) {
  double inf = std::numeric_limits<double>::infinity();
  Elements x = Elements::fromValues<double>({3, 2, 1}, {1, inf, NAN, 0, 1, 2});
  auto y = fourier(x, {.length = 2}).values<double>();
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_TRUE(std::isnan(y[i]));
  EXPECT_EQ(y[8], 3);
  EXPECT_EQ(y[10], -1);
}

TEST(Fourier, RoundsOnceAndNotInWide) {
  Elements x = Elements::fromValues<float>({1, 3, 1}, {0.1f, 0.2f, 0.4f});
  FourierTransform t{.length = 3};
  Elements exact =
      cast(fourier(cast(x, DataType::Float64), t), DataType::Float32);
  EXPECT_TRUE(fourier(x, t).identicalTo(exact));
  Elements wide = fourier(x.widened(), t);
  EXPECT_TRUE(wide.isWide());
  EXPECT_TRUE(wide.narrowed().identicalTo(exact));
  EXPECT_FALSE(fourier(Elements::splat<int32_t>({1, 2, 1}, 1), t));
}

TEST(Fourier, SameBytesWithThreadsAndAllVectorWidths) {
  Random random(10);
  for (int64_t n : {37, 60}) {
    Elements x = Elements::fromValues<double>(
        {500, n, 2}, randomDoubles(random, 500 * n * 2));
    auto expected = fourier(x, {.length = n}).values<double>();
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
    for (CpuLevel level :
         {CpuLevel::Baseline, CpuLevel::Avx2, CpuLevel::Avx512}) {
      ForcedCpuLevel forced(level);
      ParallelScope scope(pool);
      EXPECT_EQ(fourier(x, {.length = n}).values<double>(), expected);
    }
  }
}

// A prime length takes its square in kissfft: minutes for this one.
TEST(Fourier, LongPrimeLengths) {
  int64_t n = 300'007;
  std::vector<double> values(n);
  values[1] = 1;
  Elements x = Elements::fromValues<double>({1, n, 1}, values);
  auto y = fourier(x, {.length = n}).values<double>();
  for (int64_t k : {int64_t(0), int64_t(1), n / 3, n - 1}) {
    double angle = -2 * std::numbers::pi * double(k) / double(n);
    EXPECT_NEAR(y[2 * k], std::cos(angle), 1e-14);
    EXPECT_NEAR(y[2 * k + 1], std::sin(angle), 1e-14);
  }
}
