//===- Heap.h - How the process gets its memory -----------------*- C++ -*-===//
//
// A large model is millions of small pieces of memory, more than any cache
// holds, and misses are what they cost. Nothing depends on what is set here but
// time. Call it before there are other threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_SUPPORT_HEAP_H
#define ONNXFOLD_TOOLS_SUPPORT_HEAP_H

namespace onnxfold {

/// Large pages for the heap, and freed memory that is joined at once.
void prepareHeap();

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_SUPPORT_HEAP_H
