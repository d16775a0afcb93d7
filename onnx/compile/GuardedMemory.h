//===- GuardedMemory.h - Memory that finds wrong accesses -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Allocates blocks for compiled programs under test, each in pages of its own.
// A protected page follows each block, and the pages of a freed block are
// protected too. So an access behind the end of a block, or to a freed block,
// raises a signal at the faulty instruction. The bytes before a block, and
// those that its alignment leaves behind it, are filled with a pattern, which
// guardedFree checks. New memory is not zeroed but has this pattern. Freeing a
// block that was not allocated, or was freed before, stops the process with a
// message. Each block costs some microseconds.
//
//   void *block = guardedAllocate(/*alignment=*/16, bytes);
//   guardedFree(block);
//
// Addresses of freed blocks are reused only when there are many of them.
// Thread safety: all functions may be called from any thread; they share one
// lock.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_COMPILE_GUARDEDMEMORY_H
#define ONNXFOLD_ONNX_COMPILE_GUARDEDMEMORY_H

#include <cstddef>

namespace onnxfold {

/// A new block, or null if there is no memory. REQUIRES: `alignment` is a power
/// of two up to the size of a page.
void *guardedAllocate(size_t alignment, size_t bytes);

/// Frees a block. REQUIRES: it is not null.
void guardedFree(void *block);

/// The size with which a block was allocated. Stops the process for any other
/// address.
size_t guardedSize(const void *block);

/// A copy of the bytes in a block that is protected against writing; `data`
/// itself if there is no memory.
const void *guardedCopy(const void *data, size_t bytes);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_COMPILE_GUARDEDMEMORY_H
