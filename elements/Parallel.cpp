//===- Parallel.cpp - Loops over element ranges on a thread pool ----------===//

#include "onnxfold/elements/Parallel.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <atomic>

using namespace onnxfold;

/// Null in the threads of the pool: whatever they call runs sequentially.
static thread_local llvm::ThreadPoolInterface *currentPool = nullptr;

ParallelScope::ParallelScope(llvm::ThreadPoolInterface &pool)
    : outer(currentPool) {
  currentPool = &pool;
}

ParallelScope::~ParallelScope() { currentPool = outer; }

void onnxfold::parallelFor(
    int64_t count, int64_t grain,
    llvm::function_ref<void(int64_t begin, int64_t end)> body) {
  if (count <= 0)
    return;
  int64_t parts = (count + grain - 1) / grain;
  int64_t threads =
      currentPool ? int64_t(currentPool->getMaxConcurrency()) : 1;
  if (std::min(parts, threads) <= 1)
    return body(0, count);
  // The parts are handed out one by one, so that a slow thread takes fewer.
  std::atomic<int64_t> next = 0;
  auto work = [&] {
    for (int64_t part; (part = next++) < parts;)
      body(part * grain, std::min(count, (part + 1) * grain));
  };
  llvm::ThreadPoolTaskGroup group(*currentPool);
  for (int64_t i = 1; i < std::min(parts, threads); ++i)
    group.async(work);
  // The caller works too, as a thread of the pool would.
  llvm::ThreadPoolInterface *pool = std::exchange(currentPool, nullptr);
  work();
  currentPool = pool;
  group.wait();
}
