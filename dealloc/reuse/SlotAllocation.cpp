//===- SlotAllocation.cpp - Slots for the buffers of a function -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Block by block, inner ones first: the live intervals of a block are its own
// buffers and, with the interval of their region, those that may be hoisted out
// of its loops and branches. Linear scan assigns slots to them. A buffer is
// hoisted by being in a slot of the enclosing block.
//
// A buffer that one region of an operation passes on is live in all of them,
// which no interval says. So the assignment is checked as a whole afterwards
// (PeakRules.h): out of operations that exceed the limit fewer buffers are
// hoisted in the next attempt.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dealloc/reuse/internal/PeakRules.h"
#include "onnxfold/dealloc/reuse/internal/SlotRewriting.h"
#include "onnxfold/dealloc/reuse/internal/Steps.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

using AllocSet = llvm::SmallPtrSet<Operation *, 16>;

/// Nothing is hoisted out of regions after so many attempts for a block.
constexpr unsigned maxAttempts = 5;

/// The buffers of a region that may be hoisted, and the rest of the region.
struct HoistCandidates {
  std::vector<LiveBuffer> buffers; // with the points of the region
  std::vector<Amount> background;
  RegionBaseline baseline;
  RegionGrowth growth;

  /// The pressure in the region without its first `count` candidates.
  std::vector<Amount> pressureWithout(size_t count) const {
    return pressureOf(intervalsOf(ArrayRef(buffers).drop_front(count)),
                      background);
  }
  std::vector<Amount> pressureWithout(const AllocSet &hoisted) const {
    SmallVector<LiveInterval> staying;
    for (LiveBuffer buffer : buffers)
      if (!hoisted.contains(buffer.alloc))
        staying.push_back(buffer.interval);
    return pressureOf(staying, background);
  }
};

/// Operations out of which buffers of one region only, or of none, are hoisted.
struct HoistRestrictions {
  llvm::SmallPtrSet<Operation *, 4> oneRegion, noRegion;

  /// Whether that changes anything.
  bool tighten(Operation *op) {
    bool added = op->getNumRegions() > 1 && oneRegion.insert(op).second;
    return added || noRegion.insert(op).second;
  }
  bool mayHoistFrom(Region &region) const {
    Operation *op = region.getParentOp();
    unsigned last = isSequentialLoop(op) ? op->getNumRegions() - 1 : 0;
    return !noRegion.contains(op) &&
           (!oneRegion.contains(op) || region.getRegionNumber() == last);
  }
};

/// Whether a buffer of a region of `op` can be allocated before `op`: it is
/// freed in its block, and its sizes are values from outside of `op`.
bool canBeHoisted(LiveBuffer buffer, Operation *op) {
  return buffer.alloc && buffer.dealloc &&
         llvm::all_of(buffer.alloc.getDynamicSizes(), [&](Value size) {
           return !op->isAncestor(size.getParentBlock()->getParentOp());
         });
}

/// A slot with the operations that it is live across, from the first region to
/// the last of each; a live-in slot from where its first buffer was freed.
struct SlotRange {
  unsigned start, end;
  Amount amount;
  llvm::SmallPtrSet<Operation *, 4> across;
};

Amount amountOf(const BlockLiveness &liveness, const Slot &slot) {
  int64_t alignment = 0;
  for (unsigned member : slot.members)
    alignment =
        std::max(alignment, liveness.buffers[member].interval.alignment);
  return slot.size + Amount::ofBytes(alignment);
}

SlotRange rangeOf(const BlockLiveness &liveness, const Slot &slot) {
  const LiveBuffer &first = liveness.buffers[slot.members.front()];
  const LiveBuffer &last = liveness.buffers[slot.members.back()];
  SlotRange range{
      first.interval.start, last.interval.end, amountOf(liveness, slot), {}};
  for (unsigned member : slot.members)
    if (Operation *op = liveness.buffers[member].hoistOver)
      range.across.insert(op);
  auto regionOf = [](const LiveBuffer &buffer) {
    memref::AllocOp alloc = buffer.alloc;
    return alloc->getParentRegion()->getRegionNumber();
  };
  if (first.interval.liveIn)
    range.start = first.interval.end + 1;
  if (first.hoistOver)
    range.start -= regionOf(first);
  if (Operation *op = last.hoistOver)
    range.end += op->getNumRegions() - 1 - regionOf(last);
  return range;
}

/// Whether all slots of a loop's body can be hoisted out of it without a larger
/// peak than `before`. Otherwise a buffer that is hoisted out of a branch into
/// the body would be allocated in every iteration, not only in those that take
/// the branch.
bool canHoistAllSlots(const BlockLiveness &liveness, ArrayRef<Slot> slots,
                      Amount before) {
  Amount hoisted;
  SmallVector<LiveInterval> staying;
  for (const Slot &slot : slots) {
    if (liveness.buffers[slot.members.back()].interval.liveOut ||
        liveness.buffers[slot.members.front()].interval.liveIn)
      for (unsigned member : slot.members)
        staying.push_back(liveness.buffers[member].interval);
    else
      hoisted += amountOf(liveness, slot);
  }
  return hoisted + peakOf(staying, liveness.background()) <= before;
}

class SlotAllocator {
public:
  SlotAllocator(FunctionOpInterface function, CalleeMemory &callees)
      : function(function), callees(callees), bounds(function, callees) {}

  void run() {
    for (Block &block : function.getFunctionBody())
      visit(block, /*inLoop=*/false);
    callees.set(function, bounds.ofFunction());
  }

private:
  void visit(Block &block, bool inLoop) {
    for (Operation &op : block) {
      bool hoistsInto = isSequentialLoop(&op) || (inLoop && isSequential(&op));
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          visit(nested, hoistsInto);
    }
    doubleBufferLoops(block);
    allocate(block, inLoop);
    bounds.setPeak(block, liveness.of(block).peak());
  }

  void doubleBufferLoops(Block &block);
  void tryDoubleBuffering(ArrayRef<Amount> own, Operation *loop,
                          unsigned point);
  void allocate(Block &block, bool inLoop);
  void collectCandidates(const BlockLiveness &inBlock);
  HoistCandidates candidatesOf(Operation *op, Block &block);
  BlockLiveness withCandidates(Block &block, bool optional,
                               const HoistRestrictions &restrictions);
  void addCandidates(BlockLiveness &inBlock, Region &region, unsigned point,
                     ArrayRef<Amount> own, bool optional, bool onlyRegion);
  size_t fittingCandidates(const BlockLiveness &inBlock, Region &region,
                           unsigned point, ArrayRef<Amount> own,
                           bool onlyRegion);
  std::vector<Slot> assign(Block &block, const BlockLiveness &inBlock);
  SmallVector<Operation *> operationsOverLimit(Block &block,
                                               const BlockLiveness &inBlock,
                                               ArrayRef<Slot> slots);
  bool fitsRegion(Region &region, ArrayRef<Amount> pressure,
                  Amount across) const;

  FunctionOpInterface function;
  CalleeMemory &callees;
  MemoryBounds bounds;
  LivenessAnalysis liveness{bounds};
  BaselineAnalysis baselines{bounds};
  /// The candidates of the regions in the block that is being changed.
  llvm::DenseMap<Region *, HoistCandidates> candidates;
  /// The regions out of which buffers are hoisted in this attempt.
  llvm::SmallPtrSet<Region *, 8> hoistedFrom;
};

/// The pressure of the block's own buffers and results.
std::vector<Amount> ownPressure(const BlockLiveness &liveness) {
  return pressureOf(intervalsOf(liveness.buffers), liveness.results);
}

/// The rules of PeakRules.h that compare with the region's own baseline.
bool SlotAllocator::fitsRegion(Region &region, ArrayRef<Amount> pressure,
                               Amount across) const {
  Operation *op = region.getParentOp();
  auto found = candidates.find(&region);
  if (found == candidates.end())
    return across <= Amount();
  RegionBaseline baseline = found->second.baseline;
  unsigned number = region.getRegionNumber();
  if (isSequentialLoop(op) && op->getNumRegions() == 2) {
    Region &other = op->getRegion(1 - number);
    if (auto sibling = candidates.find(&other); sibling != candidates.end())
      baseline.sibling =
          siblingBound(bounds.baseline(other.front()).withLoops +
                           bounds.carriedInBaseline(region.front()),
                       sibling->second.growth, found->second.growth,
                       /*isFirst=*/number == 0);
  }
  return fitsAcross(baseline, pressure, across);
}

//===----------------------------------------------------------------------===//
// Double buffering
//===----------------------------------------------------------------------===//

/// Applies the exchanges of a loop if its added loop-carried buffers fit.
void SlotAllocator::tryDoubleBuffering(ArrayRef<Amount> own, Operation *loop,
                                       unsigned point) {
  LoopExchanges exchanges = findExchanges(loop, liveness.alignments());
  if (exchanges.empty())
    return;
  Amount added;
  for (Type type : exchanges.addedTypes())
    added += callees.amountOf(type);
  SmallVector<BlockLiveness> inRegions;
  for (Region &region : loop->getRegions()) {
    Block &block = region.front();
    inRegions.push_back(liveness.of(block));
    HoistCandidates &entry = candidates[&region];
    entry.baseline = baselines.ofRegion(block, inRegions.back());
    entry.growth = baselines.growthOf(block, inRegions.back());
  }
  SmallVector<Amount> peaks;
  bool aboveBaseline = false;
  for (auto [region, inside] : llvm::zip(loop->getRegions(), inRegions)) {
    llvm::erase_if(inside.buffers, [&](const LiveBuffer &buffer) {
      return exchanges.contains(buffer.alloc);
    });
    std::vector<Amount> pressure =
        pressureOf(intervalsOf(inside.buffers), inside.background());
    peaks.push_back(largestOf(pressure) + added);
    if (fitsRegion(region, pressure, added))
      continue;
    aboveBaseline = true;
    if (!fitsEnclosingBlock(own[point + region.getRegionNumber()], pressure,
                            added, bounds.limit(*loop->getBlock())))
      return;
  }
  Operation *result = doubleBuffer(loop, exchanges);
  baselines.setDoubleBuffered(result);
  if (aboveBaseline)
    baselines.setAboveBaseline(result);
  for (auto [region, peak] : llvm::zip(result->getRegions(), peaks))
    bounds.setPeak(region.front(), peak);
}

void SlotAllocator::doubleBufferLoops(Block &block) {
  BlockLiveness inBlock = liveness.of(block);
  std::vector<Amount> own = ownPressure(inBlock);
  for (auto [op, point] : inBlock.regionOps)
    if (isSequentialLoop(op) && !inBlock.callsUnknown[point])
      tryDoubleBuffering(own, op, point);
  candidates.clear();
  SmallVector<Operation *> loops;
  for (Operation &op : block)
    if (isSequentialLoop(&op))
      loops.push_back(&op);
  for (Operation *loop : loops)
    forwardDeallocs(loop);
}

//===----------------------------------------------------------------------===//
// Candidates for hoisting
//===----------------------------------------------------------------------===//

/// The largest come last, so that the small ones are hoisted if not all fit.
HoistCandidates SlotAllocator::candidatesOf(Operation *op, Block &block) {
  BlockLiveness inRegion = liveness.of(block);
  HoistCandidates result;
  result.baseline = baselines.ofRegion(block, inRegion);
  result.growth = baselines.growthOf(block, inRegion);
  SmallVector<LiveInterval> staying;
  for (LiveBuffer &buffer : inRegion.buffers) {
    if (!canBeHoisted(buffer, op)) {
      staying.push_back(buffer.interval);
      continue;
    }
    buffer.hoistOver = op;
    result.buffers.push_back(buffer);
  }
  result.background = pressureOf(staying, inRegion.background());
  llvm::stable_sort(result.buffers,
                    [](const LiveBuffer &a, const LiveBuffer &b) {
                      return a.interval.size.all < b.interval.size.all;
                    });
  return result;
}

void SlotAllocator::collectCandidates(const BlockLiveness &inBlock) {
  candidates.clear();
  for (auto [op, point] : inBlock.regionOps)
    if (isSequential(op) && !inBlock.callsUnknown[point])
      for (Region &region : op->getRegions())
        if (region.hasOneBlock())
          candidates[&region] = candidatesOf(op, region.front());
}

/// How many candidates of a region fit if they are live across the operation:
/// all, or all but the 1, 2, 4, ... largest. `onlyRegion` says that no other
/// region of the operation gives up any.
size_t SlotAllocator::fittingCandidates(const BlockLiveness &inBlock,
                                        Region &region, unsigned point,
                                        ArrayRef<Amount> own, bool onlyRegion) {
  Operation *op = region.getParentOp();
  ArrayRef<LiveBuffer> buffers = candidates.find(&region)->second.buffers;
  unsigned first = point - region.getRegionNumber();
  Amount limit = bounds.limit(*op->getBlock());
  auto fit = [&](size_t count) {
    Amount across;
    for (const LiveBuffer &buffer : buffers.take_front(count))
      across += buffer.interval.amount();
    return llvm::all_of(op->getRegions(), [&](Region &each) {
      unsigned at = first + each.getRegionNumber();
      if (at != point && !onlyRegion)
        return true;
      std::vector<Amount> pressure;
      if (auto found = candidates.find(&each); found != candidates.end())
        pressure = found->second.pressureWithout(at == point ? count : 0);
      else
        pressure = {inBlock.nested[at]};
      return fitsEnclosingBlock(own[at], pressure, across, limit) ||
             fitsRegion(each, pressure, across);
    });
  };
  size_t count = buffers.size();
  for (size_t step = 1; count && !fit(count); step *= 2)
    count -= std::min(step, count);
  return count;
}

/// Adds the candidates of a region that fit to the buffers of the block, at the
/// point of the region; those that are optional all fit, since they open no
/// slot.
void SlotAllocator::addCandidates(BlockLiveness &inBlock, Region &region,
                                  unsigned point, ArrayRef<Amount> own,
                                  bool optional, bool onlyRegion) {
  const HoistCandidates &mine = candidates.find(&region)->second;
  size_t count =
      optional ? mine.buffers.size()
               : fittingCandidates(inBlock, region, point, own, onlyRegion);
  inBlock.nested[point] = largestOf(mine.pressureWithout(optional ? 0 : count));
  hoistedFrom.insert(&region);
  for (LiveBuffer buffer : ArrayRef(mine.buffers).take_front(count)) {
    buffer.interval.start = buffer.interval.end = point;
    buffer.interval.optional = optional;
    inBlock.buffers.push_back(buffer);
  }
}

/// The liveness of a block with the candidates of its regions; those of
/// branches are `optional` or not.
BlockLiveness
SlotAllocator::withCandidates(Block &block, bool optional,
                              const HoistRestrictions &restrictions) {
  hoistedFrom.clear();
  BlockLiveness inBlock = liveness.of(block);
  std::vector<Amount> own = ownPressure(inBlock);
  for (auto [op, point] : inBlock.regionOps)
    for (Region &region : op->getRegions())
      if (candidates.contains(&region) && restrictions.mayHoistFrom(region))
        addCandidates(inBlock, region, point + region.getRegionNumber(), own,
                      optional && !isSequentialLoop(op),
                      restrictions.oneRegion.contains(op));
  llvm::stable_sort(inBlock.buffers,
                    [](const LiveBuffer &a, const LiveBuffer &b) {
                      return a.interval.start < b.interval.start;
                    });
  return inBlock;
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

/// Linear scan with a limit for each point: the baseline's memory at that
/// point, and at the point of a region out of which buffers are hoisted also
/// that of the region and of the block.
std::vector<Slot> SlotAllocator::assign(Block &block,
                                        const BlockLiveness &inBlock) {
  std::vector<Amount> own = baselines.ownByPoint(inBlock);
  std::vector<Amount> limits = baselines.byPoint(inBlock);
  Amount straightLine = bounds.straightLineLimit(block);
  Amount limit = bounds.limit(block);
  for (Amount &amount : limits)
    amount = fullest(amount, straightLine);
  for (auto [op, first] : inBlock.regionOps)
    for (Region &region : op->getRegions())
      if (hoistedFrom.contains(&region)) {
        unsigned point = first + region.getRegionNumber();
        Amount inside = bounds.limit(region.front());
        limits[point] =
            fullest(limits[point], fullest(own[point] + inside, limit));
      }
  // Across a call of unknown memory no more may be live than is already.
  for (unsigned point = 0; point < limits.size(); ++point)
    if (inBlock.callsUnknown[point])
      limits[point] = Amount();
  return assignSlots(intervalsOf(inBlock.buffers), inBlock.background(),
                     limits);
}

/// The operations across which more would be live than the rules of PeakRules.h
/// admit: a slot that one region uses is live across all of them.
SmallVector<Operation *>
SlotAllocator::operationsOverLimit(Block &block, const BlockLiveness &inBlock,
                                   ArrayRef<Slot> slots) {
  AllocSet hoisted;
  llvm::DenseMap<Operation *, Amount> across;
  std::vector<Amount> live(inBlock.nested.size() + 1);
  for (const Slot &slot : slots) {
    for (unsigned member : slot.members)
      if (LiveBuffer buffer = inBlock.buffers[member]; buffer.hoistOver)
        hoisted.insert(buffer.alloc);
    SlotRange range = rangeOf(inBlock, slot);
    for (Operation *op : range.across)
      across[op] += range.amount;
    if (range.start > range.end)
      continue;
    live[range.start] += range.amount;
    live[range.end + 1] += Amount() - range.amount;
  }
  for (size_t point = 1; point < live.size(); ++point)
    live[point] += live[point - 1];
  std::vector<Amount> baseline = baselines.ownByPoint(inBlock);
  Amount limit = bounds.limit(block);
  SmallVector<Operation *> over;
  for (auto [op, first] : inBlock.regionOps) {
    if (!across.contains(op))
      continue;
    bool fits = true, aboveBaseline = false;
    for (Region &region : op->getRegions()) {
      unsigned point = first + region.getRegionNumber();
      std::vector<Amount> pressure{inBlock.nested[point]};
      if (auto found = candidates.find(&region); found != candidates.end())
        pressure = found->second.pressureWithout(hoisted);
      Amount own = live[point] - across[op] + inBlock.results[point];
      if (own <= baseline[point] && fitsRegion(region, pressure, across[op]))
        continue;
      aboveBaseline = true;
      fits &= fitsEnclosingBlock(own, pressure, across[op], limit);
    }
    if (!fits)
      over.push_back(op);
    else if (aboveBaseline)
      baselines.setAboveBaseline(op);
  }
  return over;
}

void SlotAllocator::allocate(Block &block, bool inLoop) {
  BlockLiveness inBlock = liveness.of(block);
  if (inBlock.nested.empty())
    return;
  Amount before = inBlock.peak();
  collectCandidates(inBlock);
  HoistRestrictions restrictions;
  bool optional = !inLoop;
  std::vector<Slot> slots;
  for (unsigned attempt = 1;; ++attempt) {
    inBlock = withCandidates(block, optional, restrictions);
    slots = assign(block, inBlock);
    bool again = !optional && !canHoistAllSlots(inBlock, slots, before);
    optional |= again;
    for (Operation *op : operationsOverLimit(block, inBlock, slots))
      again |= restrictions.tighten(op);
    if (!again)
      break;
    if (attempt == maxAttempts)
      for (auto [op, point] : inBlock.regionOps)
        restrictions.noRegion.insert(op);
  }
  AllocSet hoisted;
  for (LiveBuffer &buffer : inBlock.buffers)
    if (buffer.hoistOver)
      hoisted.insert(buffer.alloc);
  for (auto &[region, inside] : candidates)
    if (!optional || isSequentialLoop(region->getParentOp()))
      bounds.setPeak(region->front(),
                     largestOf(inside.pressureWithout(hoisted)));
  for (const Slot &slot : slots) {
    SmallVector<LiveBuffer *> members;
    for (unsigned member : slot.members)
      members.push_back(&inBlock.buffers[member]);
    rewriteSlot(members, slot);
  }
}

} // namespace

void allocateSlots(FunctionOpInterface function, CalleeMemory &callees) {
  SlotAllocator(function, callees).run();
}

} // namespace onnxfold::deallocation
