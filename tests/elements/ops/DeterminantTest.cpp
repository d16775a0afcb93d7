//===- DeterminantTest.cpp - Determinants of matrices ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Determinant.h"
#include "onnxfold/tests/elements/Naive.h"
#include <cmath>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;

/// In 80 bits, column by column.
static long double naive(std::vector<long double> a, int64_t m) {
  long double product = 1;
  for (int64_t k = 0; k < m; ++k) {
    int64_t best = k;
    for (int64_t i = k; i < m; ++i)
      if (std::fabs(a[i * m + k]) > std::fabs(a[best * m + k]))
        best = i;
    if (best != k) {
      std::swap_ranges(a.begin() + k * m, a.begin() + (k + 1) * m,
                       a.begin() + best * m);
      product = -product;
    }
    product *= a[k * m + k];
    for (int64_t i = k + 1; i < m; ++i)
      for (int64_t j = m; j-- > k;)
        a[i * m + j] -= a[i * m + k] / a[k * m + k] * a[k * m + j];
  }
  return product;
}

TEST(Determinant, RandomMatricesAroundTheSizeOfAPanel) {
  Random random(1);
  for (int64_t m : {1, 2, 3, 7, 31, 32, 33, 64, 65, 100}) {
    std::vector<double> values(2 * m * m);
    for (double &value : values)
      value = random.real(-1, 1);
    auto got = determinants(Elements::fromValues<double>({2, m, m}, values))
                   .values<double>();
    for (int64_t i : {0, 1}) {
      long double want = naive(
          {values.begin() + i * m * m, values.begin() + (i + 1) * m * m}, m);
      EXPECT_NEAR(got[i], double(want), 1e-10 * std::fabs(want)) << m;
    }
  }
}

TEST(Determinant, SignOfAPermutation) {
  Random random(2);
  int64_t m = 50;
  std::vector<int64_t> order(m);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random.engine);
  int sign = 1;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < i; ++j)
      sign *= order[j] > order[i] ? -1 : 1;
  std::vector<double> values(m * m, 0.0);
  for (int64_t i = 0; i < m; ++i)
    values[i * m + order[i]] = 1;
  EXPECT_EQ(determinants(Elements::fromValues<double>({m, m}, values))
                .value<double>(),
            sign);
}

TEST(Determinant, EmptyAndSingular) {
  Elements none = determinants(Elements::fromValues<double>({3, 0, 0}, {}));
  EXPECT_EQ(none.values<double>(), std::vector<double>(3, 1.0));
  EXPECT_EQ(determinants(Elements::splat<double>({40, 40}, 0)).value<double>(),
            0);
  EXPECT_TRUE(determinants(Elements::fromValues<double>({0, 2, 2}, {}))
                  .values<double>()
                  .empty());
}

// The product of the pivots would leave the range of double on its way.
TEST(Determinant, OverflowsOnlyAtTheEnd) {
  int64_t m = 60;
  auto diagonal = [&](auto value) {
    return Elements::build<double>({m, m}, [&](auto out) {
      std::fill(out.begin(), out.end(), 0.0);
      for (int64_t i = 0; i < m; ++i)
        out[i * m + i] = value(i);
    });
  };
  double big = 0x1p100;
  EXPECT_EQ(determinants(diagonal([&](int64_t i) {
              return i < m / 2 ? big : 1 / big;
            })).value<double>(),
            1);
  EXPECT_EQ(determinants(diagonal([&](int64_t i) {
              return i ? big : -big;
            })).value<double>(),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(
      determinants(diagonal([&](int64_t) { return 1 / big; })).value<double>(),
      0);
}
