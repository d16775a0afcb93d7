//===- BufferTest.cpp - Deferred bytes, and the loop over threads ---------===//

#include "Naive.h"
#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/elements/Parallel.h"
#include "llvm/Support/ThreadPool.h"
#include <thread>

using namespace onnxfold;

namespace {

constexpr int64_t large = 20000; // above what is computed at once

/// Counts how often its bytes are computed.
Elements counted(std::atomic<int> &count, int64_t size = large) {
  return Elements::deferred(DataType::Float32, {size}, {},
                            [&, size](char *out) {
                              ++count;
                              auto *to = reinterpret_cast<float *>(out);
                              for (int64_t i = 0; i < size; ++i)
                                to[i] = i;
                            });
}

} // namespace

TEST(Buffer, DeferredIsComputedWhenRead) {
  std::atomic<int> count = 0;
  Elements x = counted(count);
  Elements y = map(x.reshape({2, large / 2}).transpose({1, 0}),
                   [](auto v) { return v * 2; });
  EXPECT_EQ(count, 0);
  EXPECT_EQ(y.value<float>(2), 2);
  EXPECT_EQ(count, 1);
}

TEST(Buffer, DeferredIsComputedAtMostTwice) {
  std::atomic<int> count = 0;
  Elements x = counted(count);
  Elements sum = x;
  for (int i = 0; i < 40; ++i) // cut into several programs
    sum = zip(sum, x, [](auto a, auto b) { return add(a, b); });
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(sum.value<float>(3), 3 * 41);
  EXPECT_LE(count, 2);
}

TEST(Buffer, SmallIsComputedAtOnce) {
  std::atomic<int> count = 0;
  Elements x = counted(count, 4);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(x.value<float>(3), 3);
  EXPECT_EQ(x.value<float>(2), 2);
  EXPECT_EQ(count, 1);
}

TEST(Buffer, MaterializeSettles) {
  std::atomic<int> count = 0;
  Elements x = counted(count).materialize();
  EXPECT_EQ(count, 1);
  EXPECT_EQ(x.value<float>(7), 7);
  EXPECT_EQ(x.materialize().value<float>(8), 8);
  EXPECT_EQ(count, 1);
}

// A program that many read is computed a bounded number of times.
TEST(Buffer, ProgramsReadOftenAreKept) {
  static std::atomic<int64_t> calls;
  calls = 0;
  Elements x = Elements::fromValues<float>({large}, std::vector<float>(large));
  Elements y = map(x, [](auto v) {
    calls.fetch_add(1, std::memory_order_relaxed);
    return v;
  });
  for (int i = 0; i < 10; ++i) {
    y.values<float>();
    map(y, [](auto v) { return v; }).values<float>();
  }
  EXPECT_LE(calls, 5 * large);
}

// Disjoint slices of a program compute their own part only.
TEST(Buffer, SlicesOfAProgram) {
  static std::atomic<int64_t> calls;
  calls = 0;
  Elements x = Elements::fromValues<float>({large}, std::vector<float>(large));
  Elements y = map(x, [](auto v) {
    calls.fetch_add(1, std::memory_order_relaxed);
    return v;
  });
  for (int64_t i = 0; i < 10; ++i)
    y.slice(0, i * large / 10, large / 10).values<float>();
  EXPECT_EQ(calls, large);
}

// Each level reads the one before: reading them all at once must not need a
// stack in proportion.
TEST(Buffer, LongChainsOfDeferredTensors) {
  for (int64_t n : {10, 1000, 10000}) {
    Elements x = counting<float>({2, large / 2}).elements();
    for (int64_t i = 0; i < n; ++i) // never a view twice in a row
      x = x.transpose({1, 0}).reshape({2, large / 2});
    EXPECT_EQ(x.value<float>(0), 0);
    EXPECT_EQ(x.value<float>(large - 1), large - 1);
  }
}

TEST(Buffer, LongProgramsAreCut) {
  for (int64_t n : {10, 1000, 10000}) {
    Elements x = counting<float>({large}).elements();
    for (int64_t i = 0; i < n; ++i)
      x = map(x, [](auto v) { return v + 1; });
    EXPECT_EQ(x.value<float>(5), 5 + n);
  }
}

// x + x, n times: the graph has 2^n paths.
TEST(Buffer, SharedOperandsAreNotComputedPerPath) {
  Elements x = counting<float>({large}).elements();
  for (int i = 0; i < 60; ++i)
    x = zip(x, x, [](auto a, auto b) { return (a + b) / 2; });
  EXPECT_EQ(x.value<float>(5), 5);
}

TEST(Buffer, ManyThreadsReadOneDeferredTensor) {
  std::atomic<int> count = 0;
  Elements x = counted(count);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        right += x.values<float>()[i] == i;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 80);
  EXPECT_LE(count, 2);
}

TEST(Parallel, CoversEachIndexOnce) {
  for (unsigned threads : {1u, 2u, 7u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    for (int64_t count : {0, 1, 5, 100, 1001}) {
      std::vector<std::atomic<int>> seen(count);
      parallelFor(count, 7, [&](int64_t begin, int64_t end) {
        EXPECT_EQ(begin % 7, 0);
        for (int64_t i = begin; i < end; ++i) {
          ++seen[i];
          // Nested loops run in place.
          parallelFor(3, 1, [&](int64_t b, int64_t e) { seen[i] += e - b; });
        }
      });
      for (auto &s : seen)
        EXPECT_EQ(s, 4);
    }
  }
}

TEST(Parallel, WithoutAScopeItRunsHere) {
  int calls = 0;
  parallelFor(100, 1, [&](int64_t begin, int64_t end) {
    ++calls;
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 100);
  });
  EXPECT_EQ(calls, 1);
}

// The pool's only thread waits for the bytes that this thread computes with a
// loop of its own: the loop must not wait for the pool's queue.
TEST(Parallel, LoopInsideADeferredTensorThatThePoolWaitsFor) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
  std::atomic<bool> computing = false;
  Elements x =
      Elements::deferred(DataType::Float32, {large}, {}, [&](char *out) {
        computing = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        parallelFor(large, 100, [&](int64_t begin, int64_t end) {
          std::fill(reinterpret_cast<float *>(out) + begin,
                    reinterpret_cast<float *>(out) + end, 1.0f);
        });
      });
  ParallelScope scope(pool);
  std::thread starter([&] {
    while (!computing)
      std::this_thread::yield();
    for (int i = 0; i < 2; ++i)
      pool.async([&] { EXPECT_EQ(x.value<float>(1), 1); });
  });
  EXPECT_EQ(x.value<float>(0), 1);
  starter.join();
  pool.wait();
}
