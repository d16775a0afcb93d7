//===- Parallel.h - Loops over element ranges on a thread pool --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one way to use several threads below the engine: kernels and loops are
// sequential code over a range, and parallelFor cuts the range.
//
//   ParallelScope scope(context->getThreadPool());   // once, in a driver
//   parallelFor(n, 1 << 16, [&](int64_t begin, int64_t end) { ... });
//
// Without a scope in the calling thread the body runs once, on that thread.
// Threads of the pool have no scope, so nested loops never wait for themselves.
// No result depends on which thread runs which part: bodies write disjoint
// ranges, and every sum has a fixed tree.
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

/// The grain of loops whose cost is about that of reading and writing memory,
/// in elements.
inline constexpr int64_t parallelGrain = 64 << 10;

/// Calls `body(begin, end)` for disjoint ranges that cover [0, count), and
/// returns when all calls have returned. The length of each range but the last
/// is a multiple of `grain`. Where only one thread works, there is one range.
/// Thread safety: `body` is called concurrently. An exception of one call is
/// rethrown here when all calls have ended. REQUIRES: grain > 0.
void parallelFor(int64_t count, int64_t grain,
                 llvm::function_ref<void(int64_t begin, int64_t end)> body);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MEMORY_PARALLEL_H
