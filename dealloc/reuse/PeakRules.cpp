//===- PeakRules.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/PeakRules.h"

#include "onnxfold/dealloc/reuse/internal/Steps.h"

using namespace mlir;

namespace onnxfold::deallocation {

bool fitsSamePoint(const RegionBaseline &region, size_t point, Amount live) {
  return live <= region.atPoint[point];
}

bool fitsBlockEnd(const RegionBaseline &region, size_t point, Amount live) {
  return live <= region.atBlockEnd[point];
}

bool fitsOneRun(const RegionBaseline &region, Amount live) {
  return live <= region.oneRun;
}

bool fitsWholeLoop(const RegionBaseline &region, Amount live) {
  return live <= region.wholeLoop;
}

bool fitsSibling(const RegionBaseline &region, Amount live) {
  return region.sibling && live <= *region.sibling;
}

bool fitsAcross(const RegionBaseline &region, ArrayRef<Amount> pressure,
                Amount across) {
  for (auto [point, amount] : llvm::enumerate(pressure)) {
    Amount live = amount + across;
    if (!(fitsSamePoint(region, point, live) ||
          fitsBlockEnd(region, point, live) || fitsOneRun(region, live) ||
          fitsWholeLoop(region, live) || fitsSibling(region, live)))
      return false;
  }
  return true;
}

bool fitsEnclosingBlock(Amount own, ArrayRef<Amount> pressure, Amount across,
                        Amount limit) {
  return own + largestOf(pressure) + across <= limit;
}

std::optional<Amount> siblingBound(Amount siblingPeak,
                                   const RegionGrowth &sibling,
                                   const RegionGrowth &region, bool isFirst) {
  Amount ranBefore = siblingPeak - sibling.most;
  if (!isFirst)
    return ranBefore;
  if (!region.least)
    return std::nullopt;
  Amount runsNext = siblingPeak + *region.least;
  return smallest(ranBefore, runsNext);
}

/// The baseline's bytes of an allocation: the smallest of its views, because
/// all of it may be there for buffers that share it only.
static Amount baselineSizeOf(const LiveBuffer &buffer) {
  Amount least = buffer.interval.amount();
  memref::AllocOp alloc = buffer.alloc;
  for (Operation *user : alloc->getUsers())
    if (auto view = dyn_cast<memref::ViewOp>(user))
      if (std::optional<int64_t> bytes = bytesOf(view.getType());
          bytes && *bytes < least.known)
        least = Amount::ofBytes(*bytes);
  return least;
}

/// The live-in buffers that were freed by then. The baseline has them until the
/// end of the block, and BlockLiveness::results counts them until they are
/// freed.
std::vector<Amount>
BaselineAnalysis::freedByPoint(const BlockLiveness &liveness) const {
  std::vector<Amount> freed(liveness.nested.size());
  for (LiveBuffer buffer : liveness.buffers) {
    const LiveInterval &interval = buffer.interval;
    if (interval.liveIn && interval.end + 1 < freed.size() &&
        !doubleBuffered.contains(buffer.dealloc.getMemref().getDefiningOp()))
      freed[interval.end + 1] += interval.size;
  }
  for (size_t point = 1; point < freed.size(); ++point)
    freed[point] += freed[point - 1];
  return freed;
}

std::vector<Amount>
BaselineAnalysis::ownByPoint(const BlockLiveness &liveness) const {
  std::vector<Amount> own(liveness.nested.size());
  for (const LiveBuffer &buffer : liveness.buffers)
    if (!buffer.interval.liveIn && !buffer.hoistOver &&
        !hoistedBytes(buffer.alloc))
      own[buffer.interval.start] += baselineSizeOf(buffer);
  Amount sum;
  for (auto [amount, freed, result] :
       llvm::zip(own, freedByPoint(liveness), liveness.results))
    amount = (sum += amount) + freed + result;
  return own;
}

std::vector<Amount>
BaselineAnalysis::byPoint(const BlockLiveness &liveness) const {
  std::vector<Amount> sum = ownByPoint(liveness);
  for (auto [amount, nested] : llvm::zip(sum, liveness.nested))
    amount += nested;
  for (auto [op, first] : liveness.regionOps)
    if (aboveBaseline.contains(op))
      for (unsigned point = first;
           point < sum.size() && point < first + op->getNumRegions(); ++point)
        sum[point] = sum[point] - liveness.nested[point];
  return sum;
}

RegionBaseline BaselineAnalysis::ofRegion(Block &block,
                                          const BlockLiveness &liveness) const {
  RegionBaseline region;
  // The baseline does not have the loop-carried buffers of double buffering.
  Amount added = bounds.carried(block) - bounds.carriedInBaseline(block);
  region.atPoint = byPoint(liveness);
  std::vector<Amount> freed = freedByPoint(liveness);
  Amount own =
      ownByPoint(liveness).back() - freed.back() - liveness.results.back();
  for (auto [amount, freedThen, result] :
       llvm::zip(region.atPoint, freed, liveness.results)) {
    amount = amount - added;
    region.atBlockEnd.push_back(own + freedThen + result - added);
  }
  region.oneRun = bounds.runLimit(block);
  region.wholeLoop = bounds.bodyLimit(block);
  return region;
}

RegionGrowth BaselineAnalysis::growthOf(Block &block,
                                        const BlockLiveness &liveness) const {
  RegionGrowth growth;
  growth.most = liveness.results.back() - bounds.carried(block);
  Amount least;
  for (LiveBuffer buffer : liveness.buffers) {
    if (buffer.interval.liveOut) {
      growth.most += buffer.interval.amount();
      least += buffer.interval.size;
    } else if (buffer.interval.liveIn &&
               isa<BlockArgument>(buffer.dealloc.getMemref())) {
      growth.most = growth.most - buffer.interval.size;
    }
  }
  if (bounds.mayFreeLiveIns(block))
    return growth;
  for (auto dealloc : block.getOps<memref::DeallocOp>())
    if (freesLiveIn(dealloc))
      least = least - bounds.amountOf(dealloc.getMemref().getType());
  growth.least = least;
  return growth;
}

} // namespace onnxfold::deallocation
