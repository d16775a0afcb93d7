//===- GuardedMemory.h - Memory that finds wrong accesses -------*- C++ -*-===//
//
// Blocks for compiled programs under test, of pages of their own. A page that
// nobody may touch follows each block, and a block that is freed stays as such
// pages: an access behind the end of a block, or after its end, is a signal
// where it happens. Bytes before a block, and those that its alignment leaves
// behind it, have a pattern that is looked at when it is freed. New memory is
// no zeros. A free of what was not allocated, or was freed, stops the process
// with a message. All of it costs some microseconds for each block.
//
//   void *block = guardedAllocate(/*alignment=*/16, bytes);
//   guardedFree(block);
//
// Addresses of freed blocks are used again only when there are many of them.
// Thread safety: any thread, under one lock.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNX_RUN_GUARDEDMEMORY_H
#define ONNXFOLD_TOOLS_ONNX_RUN_GUARDEDMEMORY_H

#include <cstddef>

namespace onnxfold {

/// Null if there is no memory. REQUIRES: a power of two up to a page.
void *guardedAllocate(size_t alignment, size_t bytes);

/// REQUIRES: not null.
void guardedFree(void *block);

/// The bytes that were asked for.
size_t guardedSize(const void *block);

/// A copy that can only be read.
const void *guardedCopy(const void *data, size_t bytes);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNX_RUN_GUARDEDMEMORY_H
