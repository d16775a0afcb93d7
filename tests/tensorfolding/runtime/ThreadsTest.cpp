//===- ThreadsTest.cpp - Programs that many threads call ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Also run under ThreadSanitizer (preset tsan).
//
//===----------------------------------------------------------------------===//

#include "HandWritten.h"
#include "onnxfold/tensorfolding/runtime/internal/Snapshot.h"
#include <barrier>
#include <thread>

using namespace onnxfold::tensorfolding;
using namespace onnxfold::tensorfolding::testing;

namespace {
class ThreadsTest : public RuntimeTest {};
} // namespace

/// Runs body(i) in that many threads at once.
template <typename Body> static void inThreads(int count, Body body) {
  std::barrier start(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

static constexpr int callers = 16;
static std::atomic<int> callsThatBegan = 0;
/// Like foldTwice, once all threads are about to call.
static void foldTwiceWhenAllCall(Vector *weight, Vector *result) {
  while (callsThatBegan < callers)
    std::this_thread::yield();
  foldTwice(weight, result);
}

TEST_F(ThreadsTest, sixteen_first_calls_at_once_fold_once) {
  for (int round = 0; round < 10; ++round) {
    foldCount = callsThatBegan = 0;
    SumProgram sum(4);
    if (round == 0)
      for (const Part &part : sum.metadata.parts)
        sum.functions.add(part.function.symbol, foldTwiceWhenAllCall);
    auto program = load(sum.metadata, sum.functions);
    Filled a(1000, 1), b(1000, 10), c(1000, 100), d(1000, 1000);
    Filled *weights[] = {&a, &b, &c, &d};
    for (uint32_t i = 0; i < 4; ++i)
      EXPECT_FALSE(program->setWeight(1 + i, weights[i]->tensor()));
    inThreads(callers, [&](int i) {
      ++callsThatBegan;
      EXPECT_EQ(callSum(*program, i), 2222 + i);
    });
    EXPECT_EQ(foldCount, 4);
    EXPECT_EQ(program->statistics().folds, 4u);
    EXPECT_EQ(foldedMemory().blocks, 4u);
  }
}

namespace {
/// A place where snapshots are published in which another thread is busy: it
/// acts between the first look of pinPublished and the second.
struct BusyPlace {
  internal::Snapshot *load() {
    if (++looks == 2)
      between();
    return published;
  }
  internal::Snapshot *published;
  std::function<void()> between;
  int looks = 0;
};
} // namespace

TEST_F(ThreadsTest, what_is_retired_before_it_is_pinned_is_let_go) {
  // A thread that was late held a snapshot that had been emptied.
  internal::Snapshot first, second;
  int lost = 0;
  auto countLost = [&](internal::Snapshot &snapshot) {
    EXPECT_EQ(&snapshot, &first);
    ++lost;
  };
  BusyPlace retired = {&first, [&] {
                         retired.published = nullptr;
                         first.retired = true;
                       }};
  EXPECT_EQ(internal::pinPublished(retired, countLost), nullptr);
  EXPECT_FALSE(first.isPinned());
  EXPECT_EQ(lost, 1) << "nobody empties it otherwise";

  first.retired = false;
  BusyPlace swapped = {&first, [&] { swapped.published = &second; }};
  EXPECT_EQ(internal::pinPublished(swapped, countLost), &second);
  EXPECT_FALSE(first.isPinned());
  EXPECT_TRUE(second.isPinned());
  EXPECT_EQ(lost, 1) << "it was not retired";
  EXPECT_TRUE(second.unpin());
  EXPECT_FALSE(second.isPinned());
}

static std::atomic<int> foldsThatBegan = 0;
/// Waits until another thread folds too.
static void foldTogether(Vector *weight, Vector *result) {
  ++foldsThatBegan;
  while (foldsThatBegan < 2)
    std::this_thread::yield();
  foldTwice(weight, result);
}

/// It ends only if the second fold begins before the first has ended.
TEST_F(ThreadsTest, two_threads_fold_two_parts_at_once) {
  foldsThatBegan = 0;
  SumProgram sum(2);
  for (const Part &part : sum.metadata.parts)
    sum.functions.add(part.function.symbol, foldTogether);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 1), b(1000, 10);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  EXPECT_FALSE(program->setWeight(2, b.tensor()));
  inThreads(2, [&](int) { EXPECT_EQ(callSum(*program, 0), 22); });
  EXPECT_EQ(foldCount, 2);
}

/// Gives the program new weights, all of one value, in memory that is retired when
/// it is released.
static void updateAll(FoldedProgram &program, int64_t value,
                      std::atomic<int> &alive) {
  for (uint32_t i = 1; i < program.metadata().arguments.size(); ++i) {
    auto *weight = new Filled(1000, value);
    ++alive;
    EXPECT_FALSE(program.updateWeight(i, weight->tensor(), [weight, &alive] {
      --alive;
      delete weight;
    }));
  }
}

/// Threads call while weights change: each result is of one version of all
/// weights, and versions only go up for a thread.
static void updateUnderLoad(uint64_t budget, bool foldFirst) {
  SumProgram sum(4);
  // The last weight is passed to the entry itself too.
  sum.metadata.parts.pop_back();
  sum.metadata.foldedValues.pop_back();
  sum.metadata.entryArguments.back() = original(4);
  auto program = load(sum.metadata, sum.functions);
  std::atomic<int> alive = 0;
  Filled first(1000, 1);
  for (uint32_t i = 1; i <= 4; ++i)
    EXPECT_FALSE(program->setWeight(i, first.tensor()));
  setFoldedMemoryBudget(budget);
  std::atomic<int> calls = 0;
  std::atomic<bool> stop = false;
  std::thread updater([&] {
    for (int64_t version = 2; version <= 60; ++version) {
      updateAll(*program, version, alive);
      if (foldFirst) {
        EXPECT_FALSE(program->foldInactive());
      }
      EXPECT_FALSE(program->swap());
      program->freeInactive();
      // Calls keep up, however few processors there are.
      if (version % 10 == 2)
        calls.wait(calls);
    }
    stop = true;
  });
  inThreads(6, [&](int) {
    int64_t last = 1;
    while (!stop) {
      // 2 + 2 + 2 + 1 times the version
      int64_t result = callSum(*program, 0);
      EXPECT_EQ(result % 7, 0) << "two versions were mixed";
      EXPECT_GE(result / 7, last) << "an older version came back";
      last = result / 7;
      ++calls;
      calls.notify_one();
    }
  });
  updater.join();
  EXPECT_GT(calls, 0);
  EXPECT_EQ(callSum(*program, 0), 60 * 7);
  program->freeInactive();
  EXPECT_EQ(alive, 4) << "old weights were not released";
  program.reset();
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(foldedMemory().bytes, 0u);
}

TEST_F(ThreadsTest, updates_under_load_mix_nothing) {
  updateUnderLoad(noMemoryBudget, /*foldFirst=*/true);
}

TEST_F(ThreadsTest, updates_that_the_calls_fold_mix_nothing) {
  updateUnderLoad(noMemoryBudget, /*foldFirst=*/false);
}

TEST_F(ThreadsTest, updates_without_room_mix_nothing) {
  updateUnderLoad(/*budget=*/3 * 8000 - 1, /*foldFirst=*/true);
}

TEST_F(ThreadsTest, programs_that_do_not_fit_together_stay_right) {
  SumProgram sum(2);
  Filled a(1000, 1), b(1000, 10), c(1000, 100);
  auto first = load(sum.metadata, sum.functions);
  auto second = load(sum.metadata, sum.functions);
  EXPECT_FALSE(first->setWeight(1, a.tensor()));
  EXPECT_FALSE(first->setWeight(2, b.tensor()));
  EXPECT_FALSE(second->setWeight(1, b.tensor())); // the first program has it
  EXPECT_FALSE(second->setWeight(2, c.tensor()));
  setFoldedMemoryBudget(3 * 8000 - 1);
  inThreads(8, [&](int i) {
    for (int k = 0; k < 200; ++k)
      if ((i + k) % 2) {
        EXPECT_EQ(callSum(*first, k), 22 + k);
      } else {
        EXPECT_EQ(callSum(*second, k), 220 + k);
      }
  });
  EXPECT_LT(foldedMemory().bytes, 3 * 8000u);
}

TEST_F(ThreadsTest, equal_programs_share_also_if_they_fold_at_once) {
  SumProgram sum(2);
  Filled a(1000, 1), b(1000, 10);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<FoldedProgram>> programs(8);
    inThreads(8, [&](int i) {
      programs[i] = load(sum.metadata, sum.functions);
      EXPECT_FALSE(programs[i]->setWeight(1, a.tensor()));
      EXPECT_FALSE(programs[i]->setWeight(2, b.tensor()));
      EXPECT_EQ(callSum(*programs[i], i), 22 + i);
      if (i % 2)
        programs[i].reset(); // while others may compare with it
    });
    for (auto &program : programs)
      if (program) {
        EXPECT_EQ(callSum(*program, 0), 22);
      }
  }
}
