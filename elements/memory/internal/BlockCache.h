//===- BlockCache.h - Memory of large buffers -------------------*- C++ -*-===//
//
// The source of HeapBuffer's bytes. Large blocks come from the system, aligned
// to huge pages where they fill one, and wait for the next buffer of their size
// when they are given back: the page faults of fresh memory cost more than most
// arithmetic on it. What waits is bounded by MemoryLimits::recycledBytes; the
// blocks given back last are kept. One block that is larger than that (up to
// four times) waits until another is mapped: results of one size are often
// computed one after the other, and no more memory is in use at once than
// without it.
//
// Thread safety: all functions; only large blocks take a lock. Throws
// std::bad_alloc.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_BLOCKCACHE_H
#define ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_BLOCKCACHE_H

#include <cstdint>

namespace onnxfold::detail {

/// `size` bytes, not initialised, aligned to 64.
char *allocateBlock(uint64_t size);
/// REQUIRES: the size that it was allocated with.
void freeBlock(char *bytes, uint64_t size);
/// Gives blocks back to the system until no more than the limit wait.
void trimRecycledBlocks();

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_BLOCKCACHE_H
