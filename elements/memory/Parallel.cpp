//===- Parallel.cpp - Loops over element ranges on a thread pool ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/memory/Task.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

using namespace onnxfold;

/// Null in the threads of the pool: whatever they call runs sequentially.
static thread_local llvm::ThreadPoolInterface *currentPool = nullptr;

ParallelScope::ParallelScope(llvm::ThreadPoolInterface &pool)
    : outer(currentPool) {
  currentPool = &pool;
}

ParallelScope::~ParallelScope() { currentPool = outer; }

static thread_local const void *task = nullptr;

TaskScope::TaskScope(const void *newTask)
    : outer(std::exchange(task, newTask)) {}

TaskScope::~TaskScope() { task = outer; }

const void *onnxfold::currentTask() { return task; }

namespace {

/// One parallelFor. Shared with tasks of the pool, which may start only after
/// all is done: the caller waits for parts that run, never for tasks that wait
/// in the pool's queue behind threads that perhaps wait for the caller.
struct Job {
  llvm::function_ref<void(int64_t, int64_t)> body;
  int64_t count, grain, parts;
  std::atomic<int64_t> next = 0, done = 0;
  std::mutex mutex;
  std::condition_variable finished;
  std::exception_ptr failure; ///< guarded by the mutex

  Job(llvm::function_ref<void(int64_t, int64_t)> body, int64_t count,
      int64_t grain, int64_t parts)
      : body(body), count(count), grain(grain), parts(parts) {}

  /// Parts are handed out one by one, so that a slow thread takes fewer.
  void work() {
    for (int64_t part; (part = next++) < parts;) {
      try {
        body(part * grain, std::min(count, (part + 1) * grain));
      } catch (...) { // no memory: the caller would wait for this part
        std::lock_guard<std::mutex> lock(mutex);
        if (!failure)
          failure = std::current_exception();
      }
      if (++done == parts) {
        std::lock_guard<std::mutex> lock(mutex);
        finished.notify_all();
      }
    }
  }

  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    finished.wait(lock, [&] { return done == parts; });
  }
};

} // namespace

void onnxfold::parallelFor(
    int64_t count, int64_t grain,
    llvm::function_ref<void(int64_t begin, int64_t end)> body) {
  if (count <= 0)
    return;
  int64_t parts = (count - 1) / grain + 1;
  int64_t threads = currentPool ? int64_t(currentPool->getMaxConcurrency()) : 1;
  int64_t workers = std::min(parts, threads);
  if (workers <= 1)
    return body(0, count);
  auto job = std::make_shared<Job>(body, count, grain, parts);
  for (int64_t i = 1; i < workers; ++i)
    currentPool->async([job, task = currentTask()] {
      TaskScope scope(task);
      job->work();
    });
  // The caller works too, as a thread of the pool would.
  llvm::ThreadPoolInterface *pool = std::exchange(currentPool, nullptr);
  job->work();
  currentPool = pool;
  job->wait();
  if (job->failure)
    std::rethrow_exception(job->failure);
}
