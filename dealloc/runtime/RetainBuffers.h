//===- RetainBuffers.h - deallocation.retain at run time --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The only function that programs lowered by `lower-deallocation-to-llvm` call.
// They call it for each deallocation.retain of at least two memrefs with at
// least three allocations; smaller ones are lowered to inline code. Link
// libonnxfold_dealloc_runtime.a, or load libonnxfold_dealloc_programs.so into
// the engine that runs the program.
//
// Thread safety: the function allocates nothing and has no state; any number of
// threads may call it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_RUNTIME_RETAINBUFFERS_H
#define ONNXFOLD_DEALLOC_RUNTIME_RETAINBUFFERS_H

#include <cstdint>

/// On entry `retained` holds the allocated pointers of memrefs, and
/// `allocations` those of owned allocations, or null; the latter are pairwise
/// distinct, except for nulls. On return each retained[i] is the same pointer
/// if it is one of the allocations and no retained[j], j < i, got it, else
/// null. The remaining allocations were released by `release`. The caller owns
/// both arrays; `allocations` is overwritten. The call takes numAllocations *
/// numRetained steps.
///
///   allocations {a, b, c}, retained {b, b, d}  ->  retained {b, null, null},
///   release(a), release(c)
extern "C" void onnxfold_retain_buffers(int64_t numAllocations,
                                        void **allocations, int64_t numRetained,
                                        void **retained,
                                        void (*release)(void *));

#endif // ONNXFOLD_DEALLOC_RUNTIME_RETAINBUFFERS_H
