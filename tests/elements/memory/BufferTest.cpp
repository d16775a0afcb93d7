//===- BufferTest.cpp - Bytes on demand, of others; loops over threads ----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"
#include <numeric>
#include <thread>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

constexpr int64_t aboveEager = 20000; // above what is computed at once

/// Counts how often its bytes are computed.
Elements counted(std::atomic<int> &count, int64_t size = aboveEager) {
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
  Elements y = map(x.reshape({2, aboveEager / 2}).transpose({1, 0}),
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
  Elements x =
      Elements::fromValues<float>({aboveEager}, std::vector<float>(aboveEager));
  Elements y = map(x, [](auto v) {
    calls.fetch_add(1, std::memory_order_relaxed);
    return v;
  });
  for (int i = 0; i < 10; ++i) {
    y.values<float>();
    map(y, [](auto v) { return v; }).values<float>();
  }
  EXPECT_LE(calls, 5 * aboveEager);
}

// Disjoint slices of a program compute their own part only.
TEST(Buffer, SlicesOfAProgram) {
  static std::atomic<int64_t> calls;
  calls = 0;
  Elements x =
      Elements::fromValues<float>({aboveEager}, std::vector<float>(aboveEager));
  Elements y = map(x, [](auto v) {
    calls.fetch_add(1, std::memory_order_relaxed);
    return v;
  });
  for (int64_t i = 0; i < 10; ++i)
    y.slice(0, i * aboveEager / 10, aboveEager / 10).values<float>();
  EXPECT_EQ(calls, aboveEager);
}

// Each level reads the one before: reading them all at once must not need a
// stack in proportion.
TEST(Buffer, LongChainsOfDeferredTensors) {
  for (int64_t n : {10, 1000, 10000}) {
    Elements x = counting<float>({2, aboveEager / 2}).elements();
    for (int64_t i = 0; i < n; ++i) // never a view twice in a row
      x = x.transpose({1, 0}).reshape({2, aboveEager / 2});
    EXPECT_EQ(x.value<float>(0), 0);
    EXPECT_EQ(x.value<float>(aboveEager - 1), aboveEager - 1);
  }
}

TEST(Buffer, LongProgramsAreCut) {
  for (int64_t n : {10, 1000, 10000}) {
    Elements x = counting<float>({aboveEager}).elements();
    for (int64_t i = 0; i < n; ++i)
      x = map(x, [](auto v) { return v + 1; });
    EXPECT_EQ(x.value<float>(5), 5 + n);
  }
}

// x + x, n times: the graph has 2^n paths.
TEST(Buffer, SharedOperandsAreNotComputedPerPath) {
  Elements x = counting<float>({aboveEager}).elements();
  for (int i = 0; i < 60; ++i)
    x = zip(x, x, [](auto a, auto b) { return (a + b) / 2; });
  EXPECT_EQ(x.value<float>(5), 5);
}

TEST(Buffer, ManyThreadsReadOneDeferredTensor) {
  std::atomic<int> count = 0;
  Elements x = counted(count);
  llvm::SmallVector<std::thread, 4> threads;
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

//===----------------------------------------------------------------------===//
// Memory of somebody else
//===----------------------------------------------------------------------===//

namespace {

/// Memory that counts how often it is given back, and cannot be read after.
struct Lender {
  std::atomic<int> released = 0;

  Elements lend(int64_t size) {
    auto *values = new std::vector<float>(size);
    std::iota(values->begin(), values->end(), 0.0f);
    auto *bytes = reinterpret_cast<const char *>(values->data());
    return Elements::fromBuffer(
        DataType::Float32, {size},
        foreignBuffer({bytes, size_t(size) * 4}, [this, values] {
          std::fill(values->begin(), values->end(), -1);
          ++released;
          delete values;
        }));
  }
};

} // namespace

TEST(ForeignBuffer, IsReleasedOnceAfterTheLastReader) {
  Lender lender;
  Elements x = lender.lend(100);
  Elements program = map(x.slice(Shape{99}, Shape{50}, Shape{-2}),
                         [](auto v) { return v * 2; });
  x = Elements();
  std::optional<Elements::Reader> reader(program);
  program = Elements();
  EXPECT_EQ(lender.released, 0);
  float value;
  reader->read(3, 1, &value);
  EXPECT_EQ(value, 2 * (99 - 3 * 2));
  reader.reset();
  EXPECT_EQ(lender.released, 1);
}

TEST(ForeignBuffer, IsReadWhereItLies) {
  std::vector<float> values(aboveEager, 3);
  Elements x = Elements::fromBuffer(
      DataType::Float32, {aboveEager},
      foreignBuffer({reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(float)}));
  EXPECT_EQ(Elements::Reader(x).contiguous(), values.data());
  EXPECT_EQ(Elements::Reader(x.slice(0, 7, 9)).contiguous(), &values[7]);
  EXPECT_EQ(Elements::Reader(x.materialize()).contiguous(), values.data());
}

// A result that was computed refers to its operands no more.
TEST(ForeignBuffer, IsReleasedWhenResultsAreSettled) {
  Lender lender;
  Elements x = lender.lend(aboveEager);
  Elements twice = concat({x, x}, 0);
  x = Elements();
  EXPECT_EQ(twice.value<float>(aboveEager + 5), 5);
  EXPECT_EQ(lender.released, 0);
  twice = twice.materialize();
  EXPECT_EQ(lender.released, 1);
  EXPECT_EQ(twice.value<float>(aboveEager + 6), 6);
}

TEST(ForeignBuffer, IsReleasedByWhicheverThreadIsLast) {
  for (int round = 0; round < 50; ++round) {
    Lender lender;
    std::atomic<int> right = 0, early = 0;
    llvm::SmallVector<std::thread, 4> threads;
    {
      Elements x = lender.lend(1000);
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, x, t]() mutable {
          Elements y = t % 2 ? x : map(x, [](auto v) { return v; });
          x = Elements();
          early += lender.released;
          right += y.value<float>(t) == float(t);
        });
    }
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(right, 4);
    EXPECT_EQ(early, 0);
    EXPECT_EQ(lender.released, 1);
  }
}

//===----------------------------------------------------------------------===//
// Readers and functions of users
//===----------------------------------------------------------------------===//

namespace {

/// Random bytes that are elements of `type`, without strings.
std::vector<char> elementsOf(DataType type, int64_t count, Random &random) {
  std::vector<char> bytes(count * byteWidth(type));
  for (char &byte : bytes) {
    byte = char(random.integer(0, 255));
    if (type == DataType::Bool || isSubByte(type))
      byte &= 1;
  }
  return bytes;
}

std::vector<char> bytesOf(const Elements &x) {
  std::vector<char> bytes(x.bytes());
  x.read(bytes.data());
  return bytes;
}

} // namespace

TEST(FromReader, AllTypesShortAndLong) {
  Random random(1);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  for (int number = 1; number < 256; ++number) {
    auto type = DataType(number);
    if (!isDataType(number) || type == DataType::String)
      continue;
    unsigned width = byteWidth(type);
    for (int64_t size : {0, 1, 7, 5000, 200000}) {
      SCOPED_TRACE(number);
      std::vector<char> expected = elementsOf(type, size, random);
      Elements x = Elements::fromReader(
          type, {size}, [&, width](int64_t first, int64_t count, void *out) {
            EXPECT_LE(first + count, size);
            EXPECT_EQ(reinterpret_cast<uintptr_t>(out) % width, 0u);
            std::copy_n(expected.begin() + first * width, count * width,
                        static_cast<char *>(out));
          });
      EXPECT_EQ(bytesOf(x), expected);
      ParallelScope scope(pool);
      EXPECT_EQ(bytesOf(x), expected);
      if (size < 7)
        continue;
      // The last seven, backwards.
      std::vector<char> last;
      for (int64_t i = size; i-- > size - 7;)
        last.insert(last.end(), &expected[i * width],
                    &expected[i * width] + width);
      EXPECT_EQ(bytesOf(x.slice(Shape{size - 1}, Shape{7}, Shape{-1})), last);
    }
  }
}

TEST(FromReader, Strings) {
  std::vector<std::string> texts;
  texts.reserve(3000);
  for (int i = 0; i < 3000; ++i)
    texts.push_back("text " + std::to_string(i));
  Elements x;
  {
    auto owned = std::make_shared<std::vector<std::string>>(texts);
    x = Elements::fromReader(DataType::String, {3000},
                             [owned](int64_t first, int64_t count, void *out) {
                               for (int64_t i = 0; i < count; ++i)
                                 static_cast<llvm::StringRef *>(out)[i] =
                                     (*owned)[first + i];
                             });
  }
  Elements view = x.slice(Shape{2999}, Shape{1500}, Shape{-2}).materialize();
  x = Elements();
  EXPECT_EQ(view.value<llvm::StringRef>(1), "text 2997");
}

// Views, programs and threads find each element as the reader makes it; it is
// asked for everything at most twice, and never for more.
TEST(FromReader, ManyReadersOfViews) {
  std::atomic<int64_t> asked = 0;
  constexpr int64_t rows = 300, columns = 500;
  Elements x =
      Elements::fromReader(DataType::Int32, {rows, columns},
                           [&](int64_t first, int64_t count, void *out) {
                             asked += count;
                             for (int64_t i = 0; i < count; ++i)
                               static_cast<int32_t *>(out)[i] = first + i;
                           });
  Elements y = zip(x.transpose({1, 0}),
                   x.slice({0, 0}, {1, rows}, {1, 1}).reshape({rows}),
                   [](auto a, auto b) { return add(a, b); });
  EXPECT_EQ(asked, 0);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
  std::atomic<int> wrong = 0;
  llvm::SmallVector<std::thread, 4> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      ParallelScope scope(pool);
      std::vector<int32_t> values = y.values<int32_t>();
      for (int64_t i = 0; i < columns * rows; ++i)
        wrong += values[i] != i % rows * columns + i / rows + i % rows;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(asked, 2 * rows * columns);
}

// One element costs one element, also with other steps around: nothing is
// computed in between and stored.
TEST(MapBlocks, IsFusedWithOtherSteps) {
  std::atomic<int64_t> computed = 0, longest = 0;
  Elements x = counting<float>({aboveEager}).elements();
  auto f = [&](const void *in, void *out, size_t count) {
    computed += count;
    longest = std::max<int64_t>(longest, count);
    for (size_t i = 0; i < count; ++i)
      static_cast<double *>(out)[i] = static_cast<const float *>(in)[i] / 4;
  };
  auto plusOne = [](auto v) { return v + 1; };
  Elements y = map(mapBlocks(map(x, plusOne), DataType::Float64, f), plusOne);
  ASSERT_EQ(y.type(), DataType::Float64);
  EXPECT_EQ(y.value<double>(6), 2.75);
  EXPECT_EQ(computed, 1);
  expectEqual(y, Naive<double>::make({aboveEager}, [](ShapeRef i) {
                return (double(i[0]) + 1) / 4 + 1;
              }));
  EXPECT_EQ(computed, 1 + aboveEager);
  EXPECT_LE(longest, 4096);
}

TEST(MapBlocks, EveryWidthEmptyAndSplat) {
  Random random(2);
  for (int number = 1; number < 256; ++number) {
    auto type = DataType(number);
    if (!isDataType(number) || type == DataType::String)
      continue;
    unsigned width = byteWidth(type);
    auto copy = [width](const void *in, void *out, size_t count) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(in) % std::min(width, 8u), 0u);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(out) % std::min(width, 8u), 0u);
      std::memcpy(out, in, count * width);
    };
    for (int64_t size : {0, 1, 5000}) {
      std::vector<char> bytes = elementsOf(type, size, random);
      // At an odd address: the function sees aligned blocks all the same.
      std::vector<char> odd(bytes.size() + 1);
      std::copy(bytes.begin(), bytes.end(), odd.begin() + 1);
      Elements x = Elements::fromBuffer(
          type, {size}, foreignBuffer({odd.data() + 1, bytes.size()}));
      EXPECT_EQ(bytesOf(mapBlocks(x, type, copy)), bytes);
      if (size != 1)
        continue;
      Elements splat = mapBlocks(x.expand({1000}), type, copy);
      EXPECT_TRUE(splat.isSplat());
      EXPECT_EQ(bytesOf(splat.slice(0, 500, 1)), bytes);
    }
  }
}

TEST(MapBlocks, OwnsItsFunctionAsLongAsAnyCopyOfTheProgramLives) {
  auto state = std::make_shared<float>(5);
  std::weak_ptr<float> watched = state;
  Elements x = counting<float>({aboveEager}).elements();
  Elements y = mapBlocks(x, DataType::Float32,
                         [state](const void *in, void *out, size_t count) {
                           for (size_t i = 0; i < count; ++i)
                             static_cast<float *>(out)[i] =
                                 static_cast<const float *>(in)[i] + *state;
                         });
  state = nullptr;
  Elements view = y.slice(0, 100, 50);
  Elements longer = map(y, [](auto v) { return -v; });
  y = Elements();
  EXPECT_EQ(view.value<float>(2), 107);
  view = Elements();
  EXPECT_EQ(longer.value<float>(3), -8);
  EXPECT_FALSE(watched.expired());
  longer = longer.materialize();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(longer.value<float>(3), -8);
}

//===----------------------------------------------------------------------===//
// Loops over threads
//===----------------------------------------------------------------------===//

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

// All threads of the pool wait for the bytes that this thread computes with a
// loop of its own: the loop must not wait for the pool's queue.
TEST(Parallel, LoopInsideADeferredTensorThatThePoolWaitsFor) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
  std::atomic<bool> computing = false;
  std::atomic<unsigned> readers = 0;
  Elements x =
      Elements::deferred(DataType::Float32, {aboveEager}, {}, [&](char *out) {
        computing = true;
        while (readers < pool.getMaxConcurrency())
          std::this_thread::yield();
        parallelFor(aboveEager, 100, [&](int64_t begin, int64_t end) {
          std::fill(reinterpret_cast<float *>(out) + begin,
                    reinterpret_cast<float *>(out) + end, 1.0f);
        });
      });
  ParallelScope scope(pool);
  std::thread starter([&] {
    while (!computing)
      std::this_thread::yield();
    for (unsigned i = 0; i < pool.getMaxConcurrency(); ++i)
      pool.async([&] {
        ++readers;
        EXPECT_EQ(x.value<float>(1), 1);
      });
  });
  EXPECT_EQ(x.value<float>(0), 1);
  starter.join();
  pool.wait();
}
