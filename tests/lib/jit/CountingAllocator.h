//===- CountingAllocator.h - An allocator that sees every mistake ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The allocator of compiled test programs. It counts, and it never returns
// memory to the system while a program runs: a freed block is filled with a
// pattern and kept, so that
//   - a second free of it is a double free and not a free of a new block,
//   - a write into it is seen when the run ends (useAfterFree),
//   - a read of it gives the pattern, and results that differ from those of
//     the same program without frees.
// New blocks are filled with another pattern, the same in every run, and have
// 64 bytes of guard on both sides (overruns).
//
// There is one allocator per process, because the functions that programs call
// have no argument for it. Not thread safe: test programs have one thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_LIB_JIT_COUNTINGALLOCATOR_H
#define ONNXFOLD_TESTS_LIB_JIT_COUNTINGALLOCATOR_H

#include <cstddef>
#include <cstdint>
#include <map>

namespace onnxfold {

/// The counts of a program's allocations. Sizes are the bytes that the program
/// requests: memref.alloc with an alignment requests that many bytes more.
struct AllocationCounts {
  int64_t allocations = 0;
  int64_t frees = 0; ///< of live blocks; free(null) is none
  int64_t peakBuffers = 0, peakBytes = 0;
  int64_t liveBuffers = 0, liveBytes = 0;
  int64_t leaks = 0; ///< blocks that are alive
  int64_t doubleFrees = 0;
  int64_t unknownFrees = 0;         ///< of pointers that no allocation returned
  int64_t useAfterFree = 0;         ///< freed blocks that were written to
  int64_t overruns = 0;             ///< blocks whose guards were written to
  std::map<size_t, int64_t> bySize; ///< allocations of each size

  /// No leak and no mistake.
  bool clean() const {
    return !leaks && !doubleFrees && !unknownFrees && !useAfterFree &&
           !overruns;
  }
};

/// Forgets all blocks and counts of earlier runs, and gives their memory back.
/// From then on blocks of fewer than `countFrom` bytes are not counted as
/// allocations, buffers or bytes, but mistakes with them, and leaks, are.
void resetCountingAllocator(size_t countFrom = 0);

/// The counts so far, after looking at the patterns of all kept blocks. Freed
/// blocks beyond 256 MB were looked at and given back earlier, the oldest
/// first; a free of one of those counts as unknown.
AllocationCounts countAllocations();

/// The counterparts of malloc, aligned_alloc and free. A size of 0 gives a
/// block of its own.
void *countingAlloc(size_t size);
void *countingAlignedAlloc(size_t alignment, size_t size);
void countingFree(void *pointer);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_LIB_JIT_COUNTINGALLOCATOR_H
