//===- MemoryTest.cpp - Budgets, recycling, spilled results ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What a limit does is seen in the numbers of memoryStatistics(), in how often
// a result was computed, and in what the system says of a child process.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/MemoryTests.h"
#include <thread>
#include <utility>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

constexpr int64_t size = 25600;            // of a tensor
constexpr uint64_t bytes = size * 4;       // 100 KB, above what is eager
constexpr uint64_t budget = 2 * bytes + 1; // room for two

/// Element i is first + i; counts how often it is computed.
Elements counted(int &count, int32_t first, int64_t n = size) {
  return Elements::deferred(DataType::Int32, {n}, {},
                            [&count, first, n](char *out) {
                              ++count;
                              for (int64_t i = 0; i < n; ++i)
                                reinterpret_cast<int32_t *>(out)[i] = first + i;
                            });
}

/// Whether its bytes are in the file. Reads nothing, but counts as a use.
bool isSpilled(const Elements &x) {
  uint64_t before = memoryStatistics().mappedBytes;
  Elements::Reader reader(x);
  return memoryStatistics().mappedBytes == before + x.bytes();
}

} // namespace

//===----------------------------------------------------------------------===//
// Numbers and limits
//===----------------------------------------------------------------------===//

TEST(Memory, LimitsAreSetForTheProcess) {
  MemoryLimits before = memoryLimits();
  EXPECT_EQ(before.keptBytes, uint64_t(1) << 30);
  {
    ScopedLimits scope([](MemoryLimits &limits) {
      limits = {1, 2, 3, "/somewhere"};
    });
    std::thread([] {
      MemoryLimits now = memoryLimits();
      EXPECT_EQ(now.keptBytes, 1u);
      EXPECT_EQ(now.recycledBytes, 2u);
      EXPECT_EQ(now.smallestSpilled, 3u);
      EXPECT_EQ(now.folder, "/somewhere");
    }).join();
  }
  EXPECT_EQ(memoryLimits().folder, before.folder);
}

TEST(Memory, HeapBytesArePreciseWhateverTheSize) {
  uint64_t before = memoryStatistics().heapBytes;
  resetPeakHeapBytes();
  EXPECT_EQ(memoryStatistics().peakHeapBytes, before);
  for (uint64_t n : {0, 1, 63, 64, 65535, 65536, 5000000, 50000000}) {
    HeapBuffer buffer(n);
    EXPECT_EQ(memoryStatistics().heapBytes, before + n);
    EXPECT_EQ(memoryStatistics().peakHeapBytes, before + n);
  }
  EXPECT_EQ(memoryStatistics().heapBytes, before);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 5000; ++i)
        HeapBuffer(i % 100 == 0 ? 100000 : 100);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(memoryStatistics().heapBytes, before);
  EXPECT_LE(memoryStatistics().peakHeapBytes, before + 50000000);
}

TEST(Memory, BlocksAreAligned) {
  for (uint64_t n = 1; n < (uint64_t(1) << 30); n = n * 3 + 1) {
    HeapBuffer buffer(n);
    auto address = reinterpret_cast<uintptr_t>(buffer.data());
    EXPECT_EQ(address % 64, 0u);
    // Huge pages from the first byte.
    if (n >= (4 << 20)) {
      EXPECT_EQ(address % (2 << 20), 0u) << n;
    }
    buffer.data()[0] = buffer.data()[n - 1] = 1;
  }
}

TEST(Memory, RecycledBlocksStayWithinTheLimit) {
  ScopedLimits scope([](MemoryLimits &l) { l.recycledBytes = 64 << 20; });
  constexpr uint64_t n = 20 << 20;
  char *address = HeapBuffer(n).data();
  EXPECT_GE(memoryStatistics().recycledBytes, n);
  // The same memory again, also for nearly the same size.
  EXPECT_EQ(HeapBuffer(n).data(), address);
  EXPECT_EQ(HeapBuffer(n - 100).data(), address);
  { HeapBuffer a(n), b(n), c(n), d(n), e(n); }
  EXPECT_LE(memoryStatistics().recycledBytes, uint64_t(64) << 20);
  EXPECT_GE(memoryStatistics().recycledBytes, 2 * n);
  ScopedLimits none([](MemoryLimits &l) { l.recycledBytes = 0; });
  EXPECT_EQ(memoryStatistics().recycledBytes, 0u);
  HeapBuffer(n).data()[0] = 1;
  EXPECT_EQ(memoryStatistics().recycledBytes, 0u);
}

/// Somebody had the memory of a buffer of this size before; fresh memory is 0.
static bool isRecycled(uint64_t size) {
  HeapBuffer buffer(size);
  return std::exchange(buffer.data()[0], 1) != 0;
}

TEST(Memory, OneLargeBlockWaitsForTheNextOfItsSize) {
  // The kernel cleared 14 MB for each of 16 weights, one after the other.
  ScopedLimits scope([](MemoryLimits &l) { l.recycledBytes = 1 << 20; });
  constexpr uint64_t n = 3 << 20, tooLarge = 5 << 20;
  isRecycled(n);
  EXPECT_TRUE(isRecycled(n));
  EXPECT_EQ(memoryStatistics().recycledBytes, 0u) << "it is not counted";
  { HeapBuffer other(2 << 20); }
  EXPECT_FALSE(isRecycled(n)) << "both would be more than without it";
  EXPECT_TRUE(isRecycled(n));
  EXPECT_FALSE(isRecycled(tooLarge));
  EXPECT_FALSE(isRecycled(tooLarge));
  EXPECT_FALSE(isRecycled(n));
  {
    ScopedLimits none([](MemoryLimits &l) { l.recycledBytes = 0; });
  }
  EXPECT_FALSE(isRecycled(n));
}

TEST(Memory, MappedBytesCountWhileTheyLive) {
  uint64_t before = memoryStatistics().mappedBytes;
  {
    MappedBytes a(1000), b;
    b = std::move(a);
    MappedBytes c(std::move(b));
    MappedBytes d(10);
    EXPECT_EQ(memoryStatistics().mappedBytes, before + 1010);
  }
  EXPECT_EQ(memoryStatistics().mappedBytes, before);
}

//===----------------------------------------------------------------------===//
// The budget
//===----------------------------------------------------------------------===//

TEST(Memory, WhatIsReadTwiceIsKept) {
  int count = 0;
  uint64_t before = memoryStatistics().keptBytes;
  {
    Elements x = counted(count, 0);
    x.value<int32_t>(1);
    EXPECT_EQ(memoryStatistics().keptBytes, before);
    x.value<int32_t>(2);
    EXPECT_EQ(memoryStatistics().keptBytes, before + bytes);
    EXPECT_EQ(counted(count, 5).materialize().value<int32_t>(1), 6);
    EXPECT_EQ(memoryStatistics().keptBytes, before + bytes);
  }
  EXPECT_EQ(memoryStatistics().keptBytes, before);
}

TEST(Memory, WhatWasReadLongestAgoIsSpilled) {
  ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = budget; });
  uint64_t before = memoryStatistics().spilledBytes;
  int count = 0;
  {
    Elements a = counted(count, 100).materialize();
    Elements b = counted(count, 200).materialize();
    EXPECT_EQ(memoryStatistics().spilledBytes, before);
    EXPECT_EQ(a.value<int32_t>(1), 101); // b was read longer ago
    Elements c = counted(count, 300).materialize();
    EXPECT_EQ(memoryStatistics().keptBytes, 2 * bytes);
    EXPECT_EQ(memoryStatistics().spilledBytes, before + bytes);
    EXPECT_TRUE(isSpilled(b));
    EXPECT_FALSE(isSpilled(a));
    EXPECT_FALSE(isSpilled(c));
    Elements d = counted(count, 400).materialize();
    EXPECT_TRUE(isSpilled(a));
    EXPECT_FALSE(isSpilled(c));
    for (auto [x, first] : {std::pair(a, 100), {b, 200}, {c, 300}, {d, 400}})
      expectEqual(x,
                  Naive<int32_t>::make({size}, [&, first = first](ShapeRef i) {
                    return int32_t(first + i[0]);
                  }));
    EXPECT_EQ(memoryStatistics().keptBytes, 2 * bytes);
    EXPECT_EQ(memoryStatistics().mappedBytes, 0u);
  }
  EXPECT_EQ(count, 4); // never computed again
  EXPECT_EQ(memoryStatistics().spilledBytes, before);
  EXPECT_EQ(memoryStatistics().keptBytes, 0u);
}

TEST(Memory, WhatIsPinnedStaysUntilItIsNot) {
  ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = bytes; });
  int count = 0;
  Elements a = counted(count, 100).materialize();
  std::optional<Elements::Reader> reader(a);
  const void *where = reader->contiguous();
  Elements b = counted(count, 200).materialize(), c = counted(count, 300);
  c = c.materialize();
  EXPECT_EQ(memoryStatistics().keptBytes, bytes);
  EXPECT_EQ(reader->contiguous(), where);
  EXPECT_EQ(static_cast<const int32_t *>(where)[7], 107);
  // A lower limit takes effect at the end of the pin.
  MemoryLimits limits = memoryLimits();
  limits.keptBytes = 0;
  setMemoryLimits(limits);
  EXPECT_EQ(memoryStatistics().keptBytes, bytes);
  EXPECT_EQ(static_cast<const int32_t *>(where)[8], 108);
  reader.reset();
  EXPECT_EQ(memoryStatistics().keptBytes, 0u);
  EXPECT_TRUE(isSpilled(a));
  EXPECT_EQ(a.value<int32_t>(9), 109);
}

TEST(Memory, SmallResultsAreNeverSpilled) {
  ScopedLimits scope([](MemoryLimits &l) {
    l.keptBytes = 0;
    l.smallestSpilled = bytes + 1;
  });
  int count = 0;
  Elements x = counted(count, 0).materialize();
  EXPECT_EQ(memoryStatistics().keptBytes, bytes);
  EXPECT_FALSE(isSpilled(x));
  Elements y = counted(count, 0, size + 1).materialize();
  EXPECT_TRUE(isSpilled(y));
}

// Otherwise it would be in memory as a whole just to be written out again.
TEST(Memory, WhatIsLargerThanTheBudgetIsComputedInTheFile) {
  ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = 1 << 20; });
  int count = 0;
  constexpr int64_t n = 1 << 20;
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().peakHeapBytes;
  Elements x = counted(count, 5, n).materialize();
  Elements y = counted(count, 7, n);
  EXPECT_EQ(x.value<int32_t>(n - 1), n + 4);
  EXPECT_EQ(y.value<int32_t>(n - 1), n + 6);
  EXPECT_EQ(memoryStatistics().peakHeapBytes, before);
  EXPECT_EQ(memoryStatistics().spilledBytes, n * 4u); // y is not kept
  EXPECT_EQ(y.value<int32_t>(n - 2), n + 5);
  EXPECT_EQ(y.value<int32_t>(n - 2), n + 5);
  EXPECT_EQ(count, 3);
}

//===----------------------------------------------------------------------===//
// A graph of shared values
//===----------------------------------------------------------------------===//

namespace {

/// Hundreds of results, each of two earlier ones, and what they ought to be.
class Graph {
public:
  explicit Graph(unsigned seed) {
    Random random(seed);
    for (int i = 0; i < nodes; ++i) {
      auto at = [&] { return random.integer(std::max(0, i - 20), i - 1); };
      if (i < 3)
        add(input(i));
      else
        add(at(), at(), random.integer(0, 2));
    }
  }

  static constexpr int nodes = 400, rows = 100, columns = 256;
  std::vector<Elements> results;
  std::vector<std::vector<uint32_t>> expected;
  std::vector<std::unique_ptr<std::atomic<int>>> computed;

  bool isRight(int node) const {
    return results[node].values<uint32_t>() == expected[node];
  }

private:
  static std::vector<uint32_t> input(uint32_t i) {
    std::vector<uint32_t> values(rows * columns);
    for (uint32_t j = 0; j < values.size(); ++j)
      values[j] = (j + 1) * (2 * i + 1);
    return values;
  }

  void add(std::vector<uint32_t> values) {
    results.push_back(Elements::fromValues<uint32_t>({rows, columns}, values));
    expected.push_back(std::move(values));
  }

  void add(int a, int b, int kind) {
    computed.push_back(std::make_unique<std::atomic<int>>(0));
    std::atomic<int> &count = *computed.back();
    Elements x = results[a], y = results[b];
    std::vector<uint32_t> values(rows * columns);
    auto sum = [](auto p, auto q) { return p * 3 + q; };
    if (kind == 0) { // a program
      results.push_back(zip(x, y, sum));
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = expected[a][i] * 3 + expected[b][i];
    } else { // what is computed in one piece, of views or as it lies
      if (kind == 2)
        y = y.transpose({1, 0}).reshape({rows, columns});
      results.push_back(Elements::deferred(DataType::UInt32, {rows, columns},
                                           {x, y}, [=, &count](char *out) {
                                             ++count;
                                             zip(x, y, sum).read(out);
                                           }));
      for (int i = 0; i < rows * columns; ++i)
        values[i] = expected[a][i] * 3 +
                    expected[b][kind == 2 ? i % rows * columns + i / rows : i];
    }
    expected.push_back(std::move(values));
  }
};

} // namespace

TEST(Memory, AGraphOfSharedValuesStaysWithinTheBudget) {
  constexpr uint64_t limit = 400 << 10;
  ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = limit; });
  uint64_t before = memoryStatistics().heapBytes;
  uint64_t failedBefore = memoryStatistics().failedSpills; // of other tests
  Graph graph(11);
  resetPeakHeapBytes();
  Random random(12);
  for (int i = 0; i < 3 * Graph::nodes; ++i) {
    int node = random.integer(0, Graph::nodes - 1);
    ASSERT_TRUE(graph.isRight(node)) << node;
    ASSERT_LE(memoryStatistics().keptBytes, limit);
  }
  for (auto &count : graph.computed)
    EXPECT_LE(*count, 2);
  MemoryStatistics now = memoryStatistics();
  EXPECT_EQ(now.mappedBytes, 0u);
  EXPECT_EQ(now.failedSpills, failedBefore) << now.lastFailure;
  EXPECT_GT(now.spilledBytes, 100 * bytes); // else nothing was tried
  // Inputs and budget; reading nests a few results that are being computed.
  EXPECT_LE(now.heapBytes, before + 3 * bytes + limit);
  EXPECT_LE(now.peakHeapBytes, before + limit + 70 * bytes);
}

TEST(Memory, ThreadsReadWhileOthersSpill) {
  constexpr uint64_t limit = 300 << 10;
  ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = limit; });
  auto graph = std::make_unique<Graph>(21);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::minstd_rand engine(t);
      for (int i = 0; i < 400; ++i) {
        int node = engine() % Graph::nodes;
        wrong += !graph->isRight(node);
        if (i % 50 == 0) // what is moved by hand, and what is let go
          wrong +=
              !spill(graph->results[node]).identicalTo(graph->results[node]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  for (auto &count : graph->computed)
    EXPECT_LE(*count, 2);
  EXPECT_LE(memoryStatistics().keptBytes, limit);
  EXPECT_EQ(memoryStatistics().mappedBytes, 0u);
  graph = nullptr;
  EXPECT_EQ(memoryStatistics().keptBytes, 0u);
}

// A buffer may die while another thread writes it to the file.
TEST(Memory, ResultsDieWhileTheyAreSpilled) {
  uint64_t before = memoryStatistics().spilledBytes;
  {
    ScopedLimits scope([](MemoryLimits &l) { l.keptBytes = budget; });
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::vector<Elements> held(4);
        std::vector<int> counts(4);
        for (int i = 0; i < 500; ++i) {
          Elements &x = held[i * 7 % 4];
          if (x)
            wrong += x.value<int32_t>(9) != x.value<int32_t>(0) + 9;
          x = counted(counts[t], i * t).materialize();
          wrong += x.value<int32_t>(5) != i * t + 5;
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(wrong, 0);
  }
  EXPECT_EQ(memoryStatistics().spilledBytes, before);
  EXPECT_EQ(memoryStatistics().keptBytes, 0u);
}
