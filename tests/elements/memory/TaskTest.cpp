//===- TaskTest.cpp - The task that a thread works for --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Task.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"
#include <atomic>
#include <new>
#include <thread>

using namespace onnxfold;

/// Out of memory in a thread of the pool did not name the node.
TEST(Task, threadsOfThePoolKnowTheirs) {
  llvm::StdThreadPool pool(llvm::hardware_concurrency(4));
  ParallelScope parallel(pool);
  int task = 0;
  std::atomic<int> right = 0, elsewhere = 0;
  {
    TaskScope scope(&task);
    std::thread::id caller = std::this_thread::get_id();
    parallelFor(64, 1, [&](int64_t, int64_t) {
      right += currentTask() == &task;
      elsewhere += std::this_thread::get_id() != caller;
      // The caller leaves parts for the threads of the pool.
      while (elsewhere == 0)
        std::this_thread::yield();
    });
    EXPECT_EQ(right, 64);
    EXPECT_GT(elsewhere, 0);
  }
  EXPECT_EQ(currentTask(), nullptr);
  parallelFor(64, 1,
              [&](int64_t, int64_t) { EXPECT_EQ(currentTask(), nullptr); });
}

/// A part that found no memory was forgotten, and its caller waited for ever.
TEST(Task, whatAPartThrowsIsThrownByItsLoop) {
  llvm::StdThreadPool pool(llvm::hardware_concurrency(4));
  ParallelScope parallel(pool);
  std::atomic<int> ran = 0;
  for (int round = 0; round < 100; ++round)
    EXPECT_THROW(parallelFor(64, 1,
                             [&](int64_t begin, int64_t) {
                               ++ran;
                               if (begin % 7 == 3)
                                 throw std::bad_alloc();
                             }),
                 std::bad_alloc);
  EXPECT_EQ(ran, 100 * 64);
}

TEST(Task, scopesNest) {
  int outer = 0, inner = 0;
  TaskScope first(&outer);
  {
    TaskScope second(&inner);
    EXPECT_EQ(currentTask(), &inner);
  }
  EXPECT_EQ(currentTask(), &outer);
}
