//===- WideCostTest.cpp - What double precision between operators costs ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements that are computed, and memory: no more than in exact mode, but for
// the width of what is kept.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/tests/elements/Naive.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {
/// Counts how many elements it computes.
struct CountingIncrement {
  std::atomic<int64_t> *count;
  template <class T> T operator()(T a) const {
    ++*count;
    return a + T(0.1);
  }
};
} // namespace

// The rounding that nobody reads must not cut the program: the only memory it
// refers to is that of the constant, and each element is computed once.
TEST(WideCost, AChainIsOneProgram) {
  std::atomic<int64_t> count = 0;
  constexpr int64_t size = 100'000, steps = 25;
  Elements constant = Elements::splat<float>({size}, 1).materialize();
  Elements x = constant.widened();
  for (int i = 0; i < steps; ++i)
    x = map(x, CountingIncrement{&count});
  EXPECT_EQ(x.retainedBytes(), constant.bytes());
  (void)x.values<float>();
  EXPECT_EQ(count, size * steps);
}

/// How many elements are computed if every intermediate of a chain is read.
static int64_t costOfReadingEach(Elements x, int64_t steps) {
  std::atomic<int64_t> count = 0;
  std::vector<Elements> all;
  for (int i = 0; i < steps; ++i)
    all.push_back(x = map(x, CountingIncrement{&count}));
  for (int times = 0; times < 3; ++times)
    for (const Elements &e : all)
      (void)e.values<float>();
  return count;
}

TEST(WideCost, ReadingEveryIntermediateCostsWhatItCostsInExactMode) {
  constexpr int64_t size = 10'000;
  Elements x = Elements::splat<float>({size}, 1).materialize();
  int64_t exact = costOfReadingEach(x, 100);
  int64_t wide = costOfReadingEach(x.widened(), 100);
  EXPECT_LE(wide, exact + exact / 20);
  // Twice as long is twice as much.
  EXPECT_LE(costOfReadingEach(x.widened(), 200), 2 * wide + wide / 5);
}

// An expensive result is computed twice at most, whoever asks: readers of the
// rounded values, functions of the unrounded ones, and views of both.
TEST(WideCost, ExpensiveResultsAreKeptForBothSides) {
  constexpr int64_t size = 100'000;
  int64_t count = 0;
  Elements values =
      Elements::deferred(DataType::Float64, {size}, {}, [&count](char *out) {
        ++count;
        std::fill_n(reinterpret_cast<double *>(out), size, 0.1);
      });
  Elements x = Elements::rounded(values, DataType::Float32);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(x.value<float>(i), 0.1f);
  auto product = [](auto a, auto b) { return multiply(a, b); };
  EXPECT_EQ(zip(x, x, product).value<float>(5), float(0.1 * 0.1));
  EXPECT_EQ(reduce(x.reshape({2, size / 2}), {0, 1}, false, Reduction::Max)
                .value<float>(),
            0.1f);
  EXPECT_EQ(x.slice(0, 9, 5).value<float>(4), 0.1f);
  EXPECT_EQ(cast(x, DataType::Float64).value<double>(9), double(0.1f));
  EXPECT_EQ(x.narrowed().value<float>(9), 0.1f);
  EXPECT_EQ(count, 2);
}

// Reading one side and reading the other are uses of the same program.
TEST(WideCost, ReadersOfBothSidesCountTogether) {
  constexpr int64_t size = 100'000;
  Elements constant = Elements::splat<float>({size}, 1).materialize();
  std::atomic<int64_t> exact = 0, wide = 0;
  Elements x = map(constant, CountingIncrement{&exact});
  Elements y = map(constant.widened(), CountingIncrement{&wide});
  for (int i = 0; i < 4; ++i) {
    (void)x.values<float>();
    (void)x.values<float>();
    EXPECT_EQ(y.values<float>()[i], float(1 + 0.1));
    EXPECT_EQ(y.unrounded().values<double>()[i], 1 + 0.1);
  }
  EXPECT_LE(wide, exact);
}

TEST(WideCost, MaterializeKeepsPrecisionAndReusesADyingBuffer) {
  constexpr int64_t size = 100'000;
  Elements x = Elements::rounded(
      Elements::splat<double>({size}, 0.1).materialize(), DataType::Float32);
  const void *place = Elements::Reader(x.unrounded()).contiguous();
  x = map(std::move(x), [](auto v) { return v * 3; });
  x = std::move(x).materialize();
  EXPECT_TRUE(x.isWide());
  EXPECT_EQ(x.unrounded().value<double>(size - 1), 0.1 * 3);
  EXPECT_EQ(Elements::Reader(x.unrounded()).contiguous(), place);
  Elements kept = x.materialize();
  EXPECT_EQ(kept.unrounded().value<double>(0), 0.1 * 3);
}
