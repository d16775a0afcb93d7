//===- PeakRules.h - Whether a buffer may be live across a region ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// A buffer that is hoisted out of a loop or branch is live across all regions
// of it. That must not raise the peak above the baseline's (MemoryBounds.h).
// Let
//
//   p(t)   be the pressure at point t of a region r without the buffers that
//          are hoisted out of it: an upper bound,
//   x      the bytes of those that are to be live across r.
//
// They may be if at every t one of these rules holds:
//
//   fitsSamePoint       p(t) + x <= what the baseline has of r at t
//   fitsBlockEnd        p(t) + x <= what it has of r at the end of the block,
//                       where all of r's own buffers are live
//   fitsOneRun          p(t) + x <= its peak in one run of r
//   fitsWholeLoop       p(t) + x <= its peak in the loop that r is a body of
//   fitsSibling         p(t) + x <= its peak in the other region of the while
//                       loop, which runs before r, or after it
//
// or if for the point u of r in the enclosing block b
//
//   fitsEnclosingBlock  own(u) + max p + x <= limit(b).
//
// What only the last rule admits may exceed what the baseline has of r: the
// operation is then no part of fitsSamePoint in b.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_PEAKRULES_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_PEAKRULES_H

#include "onnxfold/dealloc/reuse/internal/LiveIntervals.h"

namespace onnxfold::deallocation {

/// The least that the baseline has in a region: the rules' right sides.
struct RegionBaseline {
  std::vector<Amount> atPoint, atBlockEnd; // by program point
  Amount oneRun, wholeLoop;
  std::optional<Amount> sibling;
};

/// By how much a run of a region changes what is live, at most and at least;
/// `least` is nullopt if it is not known what the region frees.
struct RegionGrowth {
  Amount most;
  std::optional<Amount> least;
};

/// `live` is p(t) + x.
bool fitsSamePoint(const RegionBaseline &region, size_t point, Amount live);
bool fitsBlockEnd(const RegionBaseline &region, size_t point, Amount live);
bool fitsOneRun(const RegionBaseline &region, Amount live);
bool fitsWholeLoop(const RegionBaseline &region, Amount live);
bool fitsSibling(const RegionBaseline &region, Amount live);

/// The first five rules, at every point.
bool fitsAcross(const RegionBaseline &region, llvm::ArrayRef<Amount> pressure,
                Amount across);
bool fitsEnclosingBlock(Amount own, llvm::ArrayRef<Amount> pressure,
                        Amount across, Amount limit);

/// The baseline's peak in the sibling, counted from the entry of this region.
/// The sibling ran before, and then changed what is live by its growth; or it
/// runs next, after this region's growth. The first region runs once more than
/// the second one, so both must hold for it; if the second one never runs, the
/// bound is that of a loop that does not run.
std::optional<Amount> siblingBound(Amount siblingPeak,
                                   const RegionGrowth &sibling,
                                   const RegionGrowth &region, bool isFirst);

/// The baseline by program point.
class BaselineAnalysis {
public:
  explicit BaselineAnalysis(const MemoryBounds &bounds) : bounds(bounds) {}

  /// The bytes that the baseline has of a block's own buffers, without those
  /// that were hoisted into it, and of results.
  std::vector<Amount> ownByPoint(const BlockLiveness &liveness) const;
  /// The same, with what the operations of the block have inside.
  std::vector<Amount> byPoint(const BlockLiveness &liveness) const;

  /// Without `sibling`, which depends on the growth of both regions.
  RegionBaseline ofRegion(mlir::Block &block,
                          const BlockLiveness &liveness) const;
  RegionGrowth growthOf(mlir::Block &block,
                        const BlockLiveness &liveness) const;

  /// An operation that only fitsEnclosingBlock admits.
  void setAboveBaseline(mlir::Operation *op) { aboveBaseline.insert(op); }
  /// A loop with results that the baseline does not have.
  void setDoubleBuffered(mlir::Operation *loop) { doubleBuffered.insert(loop); }

private:
  std::vector<Amount> freedByPoint(const BlockLiveness &liveness) const;

  const MemoryBounds &bounds;
  llvm::SmallPtrSet<mlir::Operation *, 4> aboveBaseline, doubleBuffered;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_PEAKRULES_H
