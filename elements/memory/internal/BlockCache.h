//===- BlockCache.h - Memory of large buffers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The allocator of HeapBuffer's bytes. Large blocks are mapped, aligned to huge
// pages where they fill one, and cached for the next buffer of their size when
// they are freed: the page faults of fresh memory cost more than most
// arithmetic on it. MemoryLimits::recycledBytes bounds the cache, which keeps
// the blocks that were freed last. One block that is larger than this limit (up
// to four times) is kept until another block is mapped. Results of one size are
// often computed one after the other, so this saves page faults and does not
// raise the peak.
//
// Thread safety: all functions may be called from any thread; only large blocks
// take a lock. Errors: std::bad_alloc is thrown.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_BLOCKCACHE_H
#define ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_BLOCKCACHE_H

#include <cstdint>

namespace onnxfold::detail {

/// `size` bytes, not initialised, aligned to 64.
char *allocateBlock(uint64_t size);
/// REQUIRES: `size` is that of the allocation.
void freeBlock(char *bytes, uint64_t size);
/// Returns cached blocks to the system until the cache is within the limit.
void trimRecycledBlocks();

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_BLOCKCACHE_H
