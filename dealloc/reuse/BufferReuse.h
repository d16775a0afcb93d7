//===- BufferReuse.h - The invariants of buffer reuse, and its rules ------===//
// SPDX-License-Identifier: Apache-2.0
//
// `buffer-reuse` is a storage allocator by linear scan. Memory is assigned per
// block: live intervals over the block's program points get slots, each of
// which becomes one memref.alloc. Slots are no offsets in an arena: all buffers
// of a slot start at its first byte. Two invariants hold for each block:
//
//   safety   a != b and slot(a) == slot(b)
//              =>  a and b do not interfere: live(a) and live(b) are disjoint
//   memory   for all points t:
//              sum of bytes(s) over the slots s live at t  +  nested(t)
//              <= max(pressure(t) before the step, limit(t))
//
// `nested` is what regions and callees need, and `limit` a lower bound of what
// MLIR's ownership-based deallocation, the baseline, needs (MemoryBounds.h).
// By induction over blocks and callees: peak <= the baseline's peak, if every
// loop runs and every branch is taken.
//
// To read in this order, with the rules of each step, every one of which is a
// predicate:
//
//   BufferUses        alias sets and uses: asLocalBuffer (one block has the
//                     whole live range), isSequential
//   CopyCoalescing    lastUseOfSource, isFirstUse; isDefinedAt, isRestrict,
//                     hasNoUseWhileLive
//   LinearScan        hasExpired, canBeView, isAlignedEnough, keepsPressure,
//                     mayOpenSlot
//   MemoryBounds      peak and baseline of blocks and callees
//   LiveIntervals     program points, live-in and live-out buffers
//   PeakRules         live across a region: fitsSamePoint, fitsBlockEnd,
//                     fitsOneRun, fitsWholeLoop, fitsSibling,
//                     fitsEnclosingBlock
//   DoubleBuffering   hasInvariantSize, isAlignedEnough, isLiveOut,
//                     dropUnaligned
//   SlotAllocation    hoisting and slots of all blocks: canBeHoisted,
//                     mayHoistFrom, canHoistAllSlots
//   SlotRewriting     slots become allocations
//   StackPromotion    mayBeReentered, runsOnce
//
// tests/dealloc/reuse has a test that fails without each: LinearScanTest and
// PeakRulesTest with numbers, the others with programs that are compiled and
// run.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H
#define ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// A bool on an argument of a function; it is true if no other memref of the
/// function is a view of the same memory.
inline constexpr llvm::StringLiteral restrictAttribute =
    "deallocation.restrict";

/// The number of bytes of an allocation that were hoisted out of a loop or
/// a branch (`mark-hoisted`), an i64, or ShapedType::kDynamic for all of
/// them.
inline constexpr llvm::StringLiteral hoistedAttribute = "deallocation.hoisted";

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H
