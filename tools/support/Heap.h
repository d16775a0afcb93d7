//===- Heap.h - How the process gets its memory -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A large model has millions of small blocks of memory, more than any cache
// holds, and cache misses dominate their cost. These settings affect only time.
// Call prepareHeap() before there are other threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_SUPPORT_HEAP_H
#define ONNXFOLD_TOOLS_SUPPORT_HEAP_H

namespace onnxfold {

/// Requests large pages for the heap, and makes free() join freed blocks at
/// once.
void prepareHeap();

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_SUPPORT_HEAP_H
