//===- LiveIntervals.h - Live intervals of the buffers of a block ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// A block is a sequence of program points: one per operation, and one per
// region of an operation that runs its regions one after the other.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_LIVEINTERVALS_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_LIVEINTERVALS_H

#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "onnxfold/dealloc/reuse/internal/LinearScan.h"
#include "onnxfold/dealloc/reuse/internal/MemoryBounds.h"
#include <map>
#include <vector>

namespace onnxfold::deallocation {

/// A live interval and the operations that it stands for.
struct LiveBuffer {
  LiveInterval interval;
  mlir::memref::AllocOp alloc;          // null if it is live-in
  mlir::memref::DeallocOp dealloc;      // null if it is live-out
  mlir::Operation *lastUse = nullptr;   // in its block
  mlir::Operation *hoistOver = nullptr; // the operation it is hoisted out of
};

llvm::SmallVector<LiveInterval> intervalsOf(llvm::ArrayRef<LiveBuffer> buffers);

/// The live intervals of a block's own buffers, and what else is live.
struct BlockLiveness {
  std::vector<LiveBuffer> buffers;
  std::vector<Amount> nested;     // peaks of its regions and callees
  std::vector<Amount> results;    // memory that may have come with results
  std::vector<bool> callsUnknown; // callees of unknown peak
  /// Each operation with regions, with the program point of its first region.
  llvm::SmallVector<std::pair<mlir::Operation *, unsigned>> regionOps;

  /// The bytes that are live besides the block's own buffers.
  std::vector<Amount> background() const;
  Amount peak() const { return peakOf(intervalsOf(buffers), background()); }
};

/// Liveness of the blocks of one function as it is when it is asked for.
class LivenessAnalysis {
public:
  explicit LivenessAnalysis(const MemoryBounds &bounds) : bounds(bounds) {}

  /// Erases buffers without uses. REQUIRES: the peaks of the blocks inside are
  /// set.
  BlockLiveness of(mlir::Block &block);

  KnownAlignments &alignments() { return knownAlignments; }

private:
  void addPoints(BlockLiveness &liveness, mlir::Operation &op);
  void addBuffers(BlockLiveness &liveness, mlir::Block &block);
  void addLiveIns(BlockLiveness &liveness, mlir::Block &block,
                  const llvm::SmallPtrSetImpl<mlir::Operation *> &local);
  void addResults(BlockLiveness &liveness, mlir::Block &block);
  LiveInterval intervalOf(mlir::MemRefType type, mlir::ValueRange sizes,
                          unsigned start, unsigned end, int64_t alignment);

  const MemoryBounds &bounds;
  llvm::DenseMap<mlir::Operation *, unsigned> lastPoints;
  KnownAlignments knownAlignments;
  // Numbers of types with their dynamic sizes, and of memory spaces.
  std::map<std::pair<const void *, std::vector<void *>>, unsigned> types;
  std::map<const void *, unsigned> spaces;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_LIVEINTERVALS_H
