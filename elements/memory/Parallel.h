//===- Parallel.h - Loops over element ranges on a thread pool --*- C++ -*-===//
//
// The one way to use several threads below the engine: kernels and loops are
// sequential code over a range, and parallelFor cuts the range.
//
//   ParallelScope scope(context->getThreadPool());   // once, in a driver
//   parallelFor(n, 1 << 16, [&](int64_t begin, int64_t end) { ... });
//
// Without a scope in the calling thread the body runs once, on that thread;
// that includes threads of the pool, so nested loops never wait for
// themselves. Which thread runs which part never influences a result: bodies
// write disjoint ranges and every sum has a fixed tree.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_PARALLEL_H
#define ONNXFOLD_ELEMENTS_MEMORY_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace llvm {
class ThreadPoolInterface;
} // namespace llvm

namespace onnxfold {

/// Lets parallelFor calls of this thread use `pool` while the scope is alive.
class ParallelScope {
public:
  explicit ParallelScope(llvm::ThreadPoolInterface &pool);
  ~ParallelScope();
  ParallelScope(const ParallelScope &) = delete;
  ParallelScope &operator=(const ParallelScope &) = delete;

private:
  llvm::ThreadPoolInterface *outer;
};

/// Elements that one thread takes at a time where one costs about as much as its
/// way through memory.
inline constexpr int64_t parallelGrain = 64 << 10;

/// Calls `body(begin, end)` for disjoint ranges that cover [0, count), each a
/// multiple of `grain` long but for the last, or for all at once where only one
/// thread works. Returns when all are done.
/// Thread safety: `body` is called concurrently. What one part throws is thrown
/// here when all have ended. REQUIRES: grain > 0.
void parallelFor(int64_t count, int64_t grain,
                 llvm::function_ref<void(int64_t begin, int64_t end)> body);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MEMORY_PARALLEL_H
