//===- BufferReuse.h - Fewer allocations ------------------------*- C++ -*-===//
//
// The manual of the pass `buffer-reuse{stack-bytes=N mark-hoisted}` (Passes.h),
// which runs on modules after `deallocate` and `deallocation-simplification`,
// or on any function that frees its buffers by memref.dealloc.
//
// It handles buffers of memref.alloc and their memref.dealloc. The steps, in
// this order, inner blocks before outer ones:
//
//   copies      memref.copy %b, %a is dropped where %a is not used before it
//               and %b not after it: %a is %b then. Also where %b is written
//               while nobody looks at %a (an allocation, or an argument of the
//               function with the attribute `deallocation.restrict = true`,
//               which says that nothing else is a view of it).
//   loops       double buffering: an allocation that leaves an iteration of a
//               scf.for or scf.while, and a dealloc in the iteration of what
//               came in, become one more buffer that goes around. A while loop
//               has the same one in both its regions.
//               Deallocs of all results of a loop that only permutes buffers
//               become deallocs of its operands.
//   reuse       buffers of a block whose lives do not overlap share memory. Of
//               different types they become views of a memref of i8, as large
//               as the largest.
//   hoisting    buffers of a loop are allocated once before it, those of
//               branches and of both regions of a while loop share. Dynamic
//               sizes too, where they are known there. Never out of a parallel
//               loop. Out of a branch that is in no loop only where there is a
//               buffer that is free at that time.
//   stack       buffers of at most N bytes in all become memref.alloca, outside
//               loops, in functions that call no function with a body (they
//               might be called again from there, with all their buffers).
//
// Types, layouts, memory spaces and alignments are respected: a replacement of
// an aligned buffer is aligned as well.
//
// How much memory: if every loop runs and every branch is taken, the peak of a
// program is not above that of upstream's ownership-based deallocation, which
// frees at the end of blocks; a change that might raise it is not made
// (BufferReuseRoom.h, BufferLives.h). Dropping a copy may align a source that
// was not aligned, which takes some bytes more. Buffers that were hoisted out
// of loops that do not run, and of branches that are not taken, are allocated
// all the same: at most those come on top, and `mark-hoisted` marks them in the
// program. Nothing is kept alive over calls of functions whose memory is not
// known, in recursion and if the function is a value.
//
// Preconditions: no memref is stored in memory; an unknown operation keeps no
// view of its operands except by its results. An operation with a result of
// unknown type (a token) uses its operands until the last use of that result.
// Buffers that the pass cannot follow are not changed: there are no errors.
//
// Deterministic. Time: n log n in the operations of a function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H
#define ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// On an argument of a function: a bool; true says that nothing else that the
/// function sees is a view of it.
inline constexpr llvm::StringLiteral restrictAttribute =
    "deallocation.restrict";

/// On an allocation, with `mark-hoisted`: how many of its bytes are there
/// because it came out of a loop or a branch, an i64, or ShapedType::kDynamic
/// for all of them.
inline constexpr llvm::StringLiteral hoistedAttribute = "deallocation.hoisted";

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H
