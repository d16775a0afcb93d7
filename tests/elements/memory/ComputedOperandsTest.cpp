//===- ComputedOperandsTest.cpp - Operands are computed first -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/MemoryTests.h"
#include <thread>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

constexpr int64_t inputSize = 256 << 10;
constexpr uint64_t inputBytes = inputSize * sizeof(int32_t);

/// f(x) = 3 * x + 1, all of it at once, as a matrix product or a cumulative sum
/// is computed; counts how often.
Elements f(const Elements &x, std::atomic<int> &count) {
  return Elements::deferred(DataType::Int32, x.shape(), x,
                            [x, &count](char *out) {
                              ++count;
                              Elements::Reader reader(x);
                              auto *to = reinterpret_cast<int32_t *>(out);
                              reader.readAll(to);
                              for (int64_t i = 0; i < x.size(); ++i)
                                to[i] = int32_t(3u * uint32_t(to[i]) + 1);
                            });
}

Elements sum(const Elements &x, const Elements &y) {
  return zip(x, y, [](auto a, auto b) { return add(a, b); });
}

Elements input() {
  return Elements::build<int32_t>({inputSize},
                                  [](llvm::MutableArrayRef<int32_t> v) {
                                    for (int64_t i = 0; i < inputSize; ++i)
                                      v[i] = i * 7 - 1000;
                                  });
}

/// v = f(v) + v, `length` times; all values, as the engine's table holds them.
struct Residual {
  explicit Residual(int length) : counts(length) {
    values.push_back(input());
    for (std::atomic<int> &count : counts) {
      images.push_back(f(values.back(), count));
      values.push_back(sum(images.back(), values.back()));
    }
  }
  void expectRight(const Elements &last) const {
    std::vector<int32_t> got = last.values<int32_t>();
    for (int64_t i = 0; i < inputSize; i += 997) {
      uint32_t v = i * 7 - 1000;
      for (size_t k = 0; k < counts.size(); ++k)
        v = 3 * v + 1 + v;
      ASSERT_EQ(got[i], int32_t(v)) << i;
    }
  }
  std::vector<std::atomic<int>> counts;
  std::vector<Elements> values, images;
};

/// Room for blocks of readers, and what waits to be used again.
constexpr uint64_t spare = 2 << 20;

TEST(ComputedOperands, AResidualChainTakesTheMemoryOfItsLargestOperator) {
  ScopedLimits scope([](MemoryLimits &l) {
    l.largestInMemory = l.keptBytes;
    l.keptBytes = 0;
  });
  Residual chain(24);
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().heapBytes;
  chain.expectRight(chain.values.back());
  // Two operands, the result, and its copy in the test.
  EXPECT_LE(memoryStatistics().peakHeapBytes - before, 3 * inputBytes + spare);
  for (std::atomic<int> &count : chain.counts)
    EXPECT_EQ(count, 1);
  EXPECT_EQ(memoryStatistics().keptBytes, 0u);
  EXPECT_EQ(memoryStatistics().spilledBytes, 0u);
}

TEST(ComputedOperands, NothingIsComputedMoreThanTwice) {
  Residual chain(20);
  for (int i = 0; i < 3; ++i)
    chain.expectRight(chain.values.back());
  chain.expectRight(chain.values.back().slice(0, 0, inputSize));
  for (std::atomic<int> &count : chain.counts)
    EXPECT_LE(count, 2);
}

TEST(ComputedOperands, ThreadsShareWhatTheyBothRead) {
  for (bool little : {false, true}) {
    ScopedLimits scope([&](MemoryLimits &l) {
      if (little)
        l.keptBytes = inputBytes;
    });
    Residual chain(12);
    Elements a = f(chain.values.back(), chain.counts[0]);
    llvm::SmallVector<std::thread, 4> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { chain.expectRight(chain.values.back()); });
    for (std::thread &thread : threads)
      thread.join();
    for (size_t i = 1; i < chain.counts.size(); ++i)
      EXPECT_LE(chain.counts[i], 2);
  }
  EXPECT_EQ(memoryStatistics().keptBytes, 0u);
  EXPECT_EQ(memoryStatistics().spilledBytes, 0u);
}

// All of the 16 are read by the last one, which needs them at once; they wait
// in the file while the others are computed.
TEST(ComputedOperands, WhatWaitsIsSpilled) {
  ScopedLimits scope([](MemoryLimits &l) {
    l.largestInMemory = l.keptBytes;
    l.keptBytes = 2 * inputBytes;
  });
  std::vector<std::atomic<int>> counts(17);
  Elements x = f(input(), counts[16]);
  llvm::SmallVector<Elements, 16> parts;
  for (int i = 0; i < 16; ++i)
    parts.push_back(f(x, counts[i]));
  Elements large = Elements::deferred(
      DataType::Int32, {inputSize}, parts, [parts](char *out) {
        auto *to = reinterpret_cast<int32_t *>(out);
        for (int64_t i = 0; i < inputSize; ++i)
          to[i] = 0;
        std::vector<int32_t> part(inputSize);
        for (const Elements &p : parts) {
          p.read(part.data());
          for (int64_t i = 0; i < inputSize; ++i)
            to[i] = int32_t(uint32_t(to[i]) + uint32_t(part[i]));
        }
      });
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().heapBytes;
  std::vector<int32_t> got = large.values<int32_t>();
  EXPECT_LE(memoryStatistics().peakHeapBytes - before, 6 * inputBytes + spare);
  for (int64_t i = 0; i < inputSize; i += 1001)
    ASSERT_EQ(got[i], int32_t(16 * (3 * (3 * uint32_t(i * 7 - 1000) + 1) + 1)));
  for (std::atomic<int> &count : counts)
    EXPECT_LE(count, 2);
}

// A program of all eight would have them in memory at once.
TEST(ComputedOperands, ASumOfManyTakesTheMemoryOfASumOfTwo) {
  ScopedLimits scope([](MemoryLimits &l) {
    l.largestInMemory = l.keptBytes;
    l.keptBytes = 0;
  });
  std::vector<std::atomic<int>> counts(8);
  Elements all = f(input(), counts[0]);
  for (int i = 1; i < 8; ++i)
    all = sum(all, f(input(), counts[i]));
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().heapBytes;
  std::vector<int32_t> got = all.values<int32_t>();
  EXPECT_LE(memoryStatistics().peakHeapBytes - before, 3 * inputBytes + spare);
  EXPECT_EQ(got[6], 8 * (3 * (6 * 7 - 1000) + 1));
  for (std::atomic<int> &count : counts)
    EXPECT_EQ(count, 1);
}

// What nobody else refers to may be written over where it is read.
TEST(ComputedOperands, ADyingOperandIsStillOverwritten) {
  std::atomic<int> count = 0;
  Elements y = sum(f(input(), count), Elements::splat<int32_t>({inputSize}, 1));
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().heapBytes;
  y = std::move(y).materialize();
  EXPECT_LE(memoryStatistics().peakHeapBytes - before, inputBytes + spare);
  EXPECT_EQ(y.value<int32_t>(10), 3 * (10 * 7 - 1000) + 2);
  EXPECT_EQ(count, 1);
}

// Clean-ups compare the constants that otherwise equal nodes read.
TEST(ComputedOperands, WhatIsComparedIsNotInMemoryTogether) {
  ScopedLimits scope([](MemoryLimits &l) {
    l.largestInMemory = l.keptBytes;
    l.keptBytes = 0;
  });
  constexpr int64_t rows = 24;
  Elements x = input().unsqueeze({0}).expand({rows, inputSize});
  std::atomic<int> count = 0, other = 0;
  Elements a = f(x, count), b = f(x, other);
  Elements c = map(f(x, count), [](auto v) { return v + 1; });
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().heapBytes;
  EXPECT_TRUE(a.identicalTo(b));
  EXPECT_FALSE(a.identicalTo(c));
  EXPECT_TRUE(
      c.identicalTo(c.reshape({inputSize, rows}).reshape({rows, inputSize})));
  EXPECT_LE(memoryStatistics().peakHeapBytes - before,
            rows * inputBytes + (16 << 20));
  // Kept: whoever compares next, or writes them, need not compute again.
  EXPECT_EQ(a.value<int32_t>(inputSize + 3), 3 * (3 * 7 - 1000) + 1);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(other, 1);
}

//===----------------------------------------------------------------------===//
// Small results
//===----------------------------------------------------------------------===//

TEST(Compacted, ProgramsOfFewBytesAreRun) {
  Elements x = Elements::fromValues<int64_t>({4}, {1, 2, 3, 4});
  Elements y = map(x, [](auto v) { return v + 1; }).compacted();
  EXPECT_TRUE(y.isContiguous());
  EXPECT_EQ(y.values<int64_t>(), (std::vector<int64_t>{2, 3, 4, 5}));
  EXPECT_NE(y.residentBytes(), nullptr);
  // Programs over them are ordinary ones.
  Elements z = map(y.transpose({0}), [](auto v) { return v * v; });
  EXPECT_EQ(z.values<int64_t>(), (std::vector<int64_t>{4, 9, 16, 25}));
}

TEST(Compacted, NothingIsComputedForIt) {
  std::atomic<int> count = 0;
  Elements large = f(input(), count);
  Elements few = map(large.slice(0, 5, 3), [](auto v) { return v + 1; });
  Elements same = few.compacted();
  EXPECT_EQ(count, 0);
  EXPECT_EQ(same.value<int32_t>(0), 3 * (5 * 7 - 1000) + 2);
  Elements many =
      map(Elements::splat<float>({1000}, 1), [](auto v) { return v + 1; });
  EXPECT_EQ(many.compacted().values<float>(), std::vector<float>(1000, 2));
  Elements wide =
      map(Elements::fromValues<float>({1}, {1}).widened(), [](auto v) {
        return v / 3;
      }).compacted();
  EXPECT_TRUE(wide.isWide());
  EXPECT_EQ(wide.unrounded().value<double>(), 1.0 / 3);
}

TEST(Compacted, AChainTakesTheMemoryOfItsElements) {
  Elements x = Elements::fromValues<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  std::vector<Elements> chain = {x};
  uint64_t before = memoryStatistics().heapBytes;
  for (int i = 0; i < 1000; ++i)
    chain.push_back(sum(chain.back(), x).compacted());
  EXPECT_EQ(memoryStatistics().heapBytes - before, 1000 * x.bytes());
  EXPECT_EQ(chain.back().value<float>(5), 6006);
  chain.clear();
  EXPECT_LE(memoryStatistics().heapBytes, before);
}

} // namespace
