//===- SamplingTest.cpp - A few elements of what is not computed ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;

static Elements numbers(ShapeRef shape) {
  std::vector<float> values(numElements(shape));
  std::iota(values.begin(), values.end(), 0.5f);
  return Elements::fromValues<float>(shape, values);
}

static constexpr int64_t side = 600;

/// Longer than a program may be, with transpositions.
static Elements chain(Elements x, int steps) {
  for (int i = 0; i < steps; ++i) {
    x = map(x, [](auto v) { return v * 2; });
    if (i % 7 == 0)
      x = x.transpose({1, 0});
  }
  return x;
}

/// The sample is what reading gives; `heap`: the most bytes that it may take.
static void expectSample(const Elements &x, uint64_t heap) {
  std::vector<int64_t> positions = {0, 1, x.size() / 2, x.size() - 1, 5};
  std::vector<float> sample(positions.size());
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().heapBytes;
  ASSERT_TRUE(x.sample(positions, sample.data()));
  EXPECT_LE(memoryStatistics().peakHeapBytes - before, heap);
  std::vector<float> all(x.size());
  x.read(all.data());
  for (size_t i = 0; i < positions.size(); ++i)
    EXPECT_EQ(sample[i], all[positions[i]]) << positions[i];
}

TEST(SamplingTest, ChainsAreNotComputed) {
  expectSample(chain(numbers({side, side}), 60), 64 << 10);
  expectSample(chain(numbers({side, side}), 3).slice(0, 10, 300), 64 << 10);
}

TEST(SamplingTest, ConcatenationsAreNotComputed) {
  Elements x = numbers({side, side});
  Elements parts[] = {x.slice(1, 100, 200), chain(x, 60), x.slice(1, 0, 1)};
  Elements joined = concat(parts, 1);
  expectSample(joined, 64 << 10);
  expectSample(chain(joined.unsqueeze({0}).squeeze({0}), 5), 64 << 10);
}

/// What is there is read, whatever computed it.
TEST(SamplingTest, ComputedOnesAreRead) {
  Elements x = chain(numbers({side, side}), 60).materialize();
  expectSample(x, 64 << 10);
}

TEST(SamplingTest, OthersAreRefused) {
  Elements x =
      Elements::deferred(DataType::Float32, {side, side}, {}, [](char *out) {
        std::fill_n((float *)out, side * side, 3.0f);
      });
  float value;
  EXPECT_FALSE(x.sample({7}, &value));
  EXPECT_FALSE(chain(x, 3).sample({7}, &value));
}

/// Each level reads the one below twice: 2^40 programs.
TEST(SamplingTest, ManyPathsAreNotFollowed) {
  Elements x = numbers({side, side});
  for (int i = 0; i < 40; ++i)
    x = zip(x, x.transpose({1, 0}), [](auto a, auto b) { return a - b; });
  float value;
  EXPECT_FALSE(x.sample({7}, &value));
}
