//===- BufferReuseSharing.cpp - Buffers that share memory, and hoisting ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Block by block, the inner ones first. The buffers of a block are intervals,
// and so are those of its loops and branches, which last as long as the region
// that they come from. What packIntervals puts into one pool becomes one
// allocation; what came out of a region is hoisted by that.
//
// Nothing may lift the peak over upstream's. Either a time needs no more of the
// block's own memory than upstream holds in the block at that time, which frees
// at its end; or all that is needed then is no more than a limit of
// BufferLives.h. What is packed is looked at as a whole afterwards, and loops
// and branches that were given too much give up fewer buffers in the next
// attempt.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dealloc/reuse/internal/BufferReuseRoom.h"
#include "onnxfold/dealloc/reuse/internal/BufferReuseSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

using AllocSet = llvm::SmallPtrSet<Operation *, 16>;

/// What may leave a region, and what the rest of it needs.
struct Movable {
  std::vector<Life> lives; // times are those of the region
  std::vector<Amount> others;
  BlockRoom room;

  std::vector<Amount> without(size_t leaving) const {
    return profileOf(intervalsOf(ArrayRef(lives).drop_front(leaving)), others);
  }
  std::vector<Amount> without(const AllocSet &left) const {
    SmallVector<Interval> staying;
    for (Life life : lives)
      if (!left.contains(life.buffer.alloc))
        staying.push_back(life.interval);
    return profileOf(staying, others);
  }
};

Amount largestOf(ArrayRef<Amount> amounts) {
  Amount most;
  for (Amount amount : amounts)
    most = largest(most, amount);
  return most;
}

/// Operations that give up the buffers of one region only, or of none.
struct Restraint {
  llvm::SmallPtrSet<Operation *, 4> one, none;

  /// Whether that changes anything.
  bool add(Operation *op) {
    bool alone = op->getNumRegions() > 1 && one.insert(op).second;
    return alone || none.insert(op).second;
  }
  bool leaves(Region &region) const {
    Operation *op = region.getParentOp();
    unsigned last = isSequentialLoop(op) ? op->getNumRegions() - 1 : 0;
    return !none.contains(op) &&
           (!one.contains(op) || region.getRegionNumber() == last);
  }
};

class Sharing {
public:
  Sharing(FunctionOpInterface function, CallMemory &calls)
      : function(function), calls(calls), memory(function, calls) {}

  void run() {
    for (Block &block : function.getFunctionBody())
      visit(block, /*inLoop=*/false);
    calls.set(function, memory.ofFunction());
  }

private:
  void visit(Block &block, bool inLoop) {
    for (Operation &op : block) {
      bool worthIt = isSequentialLoop(&op) || (inLoop && isSequential(&op));
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          visit(nested, worthIt);
    }
    changeLoops(block);
    share(block, inLoop);
    Lives lives = memory.livesOf(block);
    memory.setNeeded(block, lives.peak());
  }

  void changeLoops(Block &block);
  void exchange(ArrayRef<Amount> own, Operation *loop, unsigned time);
  void share(Block &block, bool inLoop);
  Lives withMovable(Block &block, bool optional, const Restraint &restraint);
  SmallVector<Operation *> overfull(Block &block, const Lives &lives,
                                    ArrayRef<Pool> pools);
  std::vector<Pool> pack(Block &block, const Lives &lives);
  Movable movableOut(Operation *op, Block &block);
  void findMovable(const Lives &lives);
  bool isInside(Region &region, ArrayRef<Amount> inside, Amount around) const;
  void addMovable(Lives &lives, Region &region, unsigned time,
                  ArrayRef<Amount> own, bool optional, bool alone);

  FunctionOpInterface function;
  CallMemory &calls;
  BlockMemory memory;
  Room room{memory};
  /// Of the regions in the block that is being changed.
  llvm::DenseMap<Region *, Movable> movable;
  /// Those that give up buffers in this attempt.
  llvm::SmallPtrSet<Region *, 8> giving;
};

/// What the block's own buffers and the results in it take, by time.
std::vector<Amount> ownMemory(const Lives &lives) {
  return profileOf(intervalsOf(lives.lives), lives.results);
}

/// Whether `around` may be alive around a region, see BufferReuseRoom.h.
bool Sharing::isInside(Region &region, ArrayRef<Amount> inside,
                       Amount around) const {
  Operation *op = region.getParentOp();
  auto found = movable.find(&region);
  if (found == movable.end())
    return around <= Amount();
  auto other = movable.end();
  if (isSequentialLoop(op) && op->getNumRegions() == 2)
    other = movable.find(&op->getRegion(1 - region.getRegionNumber()));
  return room.isInside(region.front(), found->second.room, inside, around,
                       other == movable.end() ? nullptr : &other->second.room);
}

/// Double buffering, where there is memory for the loop-carried buffers.
void Sharing::exchange(ArrayRef<Amount> own, Operation *loop, unsigned time) {
  LoopExchanges exchanges = findExchanges(loop, memory.alignments());
  if (exchanges.empty())
    return;
  Amount spares;
  for (Type type : exchanges.spareTypes())
    spares += calls.amountOf(type);
  SmallVector<Lives> livesIn;
  for (Region &region : loop->getRegions()) {
    livesIn.push_back(memory.livesOf(region.front()));
    movable[&region].room = room.of(region.front(), livesIn.back());
  }
  SmallVector<Amount> needed;
  bool lifted = false;
  for (auto [region, inside] : llvm::zip(loop->getRegions(), livesIn)) {
    llvm::erase_if(inside.lives, [&](const Life &life) {
      return exchanges.takes(life.buffer.alloc);
    });
    std::vector<Amount> needs =
        profileOf(intervalsOf(inside.lives), inside.background());
    needed.push_back(largestOf(needs) + spares);
    if (isInside(region, needs, spares))
      continue;
    lifted = true;
    if (!(own[time + region.getRegionNumber()] + needed.back() <=
          memory.limit(*loop->getBlock())))
      return;
  }
  Operation *result = doubleBuffer(loop, exchanges);
  room.setDoubled(result);
  if (lifted)
    room.setLifted(result);
  for (auto [region, amount] : llvm::zip(result->getRegions(), needed))
    memory.setNeeded(region.front(), amount);
}

void Sharing::changeLoops(Block &block) {
  Lives lives = memory.livesOf(block);
  std::vector<Amount> own = ownMemory(lives);
  for (auto [op, time] : lives.regionOps)
    if (isSequentialLoop(op) && !lives.unknown[time])
      exchange(own, op, time);
  movable.clear();
  SmallVector<Operation *> loops;
  for (Operation &op : block)
    if (isSequentialLoop(&op))
      loops.push_back(&op);
  for (Operation *loop : loops)
    simplifyLoop(loop);
}

/// The buffers of a block that may live around `op`, the largest last, so that
/// the first ones leave where there is not room for all.
Movable Sharing::movableOut(Operation *op, Block &block) {
  Lives lives = memory.livesOf(block);
  Movable movable;
  movable.room = room.of(block, lives);
  SmallVector<Interval> staying;
  for (Life &life : lives.lives) {
    Buffer &buffer = life.buffer;
    bool leaves =
        buffer.alloc && buffer.dealloc &&
        llvm::all_of(buffer.alloc.getDynamicSizes(), [&](Value size) {
          return !op->isAncestor(size.getParentBlock()->getParentOp());
        });
    if (!leaves) {
      staying.push_back(life.interval);
      continue;
    }
    buffer.hoistOver = op;
    movable.lives.push_back(life);
  }
  movable.others = profileOf(staying, lives.background());
  llvm::stable_sort(movable.lives, [](const Life &a, const Life &b) {
    return a.interval.size.all < b.interval.size.all;
  });
  return movable;
}

void Sharing::findMovable(const Lives &lives) {
  movable.clear();
  for (auto [op, time] : lives.regionOps)
    if (isSequential(op) && !lives.unknown[time])
      for (Region &region : op->getRegions())
        if (region.hasOneBlock())
          movable[&region] = movableOut(op, region.front());
}

/// Adds the buffers of a region to those of the block around it, as many as
/// there is room for. `time` is the region's in that block; `alone` says that
/// the other regions of the operation keep theirs.
void Sharing::addMovable(Lives &lives, Region &region, unsigned time,
                         ArrayRef<Amount> own, bool optional, bool alone) {
  Operation *op = region.getParentOp();
  const Movable &mine = movable.find(&region)->second;
  unsigned first = time - region.getRegionNumber();
  Amount limit = memory.limit(*op->getBlock());
  auto fit = [&](size_t leaving) {
    Amount sum;
    for (const Life &life : ArrayRef(mine.lives).take_front(leaving))
      sum += life.interval.amount();
    return llvm::all_of(op->getRegions(), [&](Region &each) {
      unsigned at = first + each.getRegionNumber();
      if (at != time && !alone)
        return true;
      std::vector<Amount> needs;
      if (auto found = movable.find(&each); found != movable.end())
        needs = found->second.without(at == time ? leaving : 0);
      else
        needs = {lives.others[at]};
      return own[at] + largestOf(needs) + sum <= limit ||
             isInside(each, needs, sum);
    });
  };
  // All, or all but 1, 2, 4, ... of the largest.
  size_t leaving = mine.lives.size();
  for (size_t step = 1; !optional && leaving && !fit(leaving); step *= 2)
    leaving -= std::min(step, leaving);
  lives.others[time] = largestOf(mine.without(optional ? 0 : leaving));
  giving.insert(&region);
  for (Life life : ArrayRef(mine.lives).take_front(leaving)) {
    life.interval.start = life.interval.end = time;
    life.interval.optional = optional;
    lives.lives.push_back(life);
  }
}

//===----------------------------------------------------------------------===//
// Changing the program
//===----------------------------------------------------------------------===//

/// Where the memory of a pool that begins with `buffer` is allocated.
Operation *beginOf(const Buffer &buffer) {
  return buffer.hoistOver ? buffer.hoistOver : buffer.alloc;
}

/// The operation after which the memory of a buffer is no longer needed.
Operation *endOf(const Buffer &buffer) {
  return buffer.hoistOver ? buffer.hoistOver : buffer.lastUse;
}

/// Memory without a type for buffers of several; they become views of it.
Value shareBytes(ArrayRef<Life *> members, int64_t bytes) {
  Buffer &first = members.front()->buffer;
  MLIRContext *context = first.alloc->getContext();
  OpBuilder builder(beginOf(first));
  Location loc = first.alloc.getLoc();
  auto type = MemRefType::get({bytes}, IntegerType::get(context, 8),
                              MemRefLayoutAttrInterface(),
                              first.alloc.getType().getMemorySpace());
  auto memory = memref::AllocOp::create(builder, loc, type);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (Life *member : members) {
    memref::AllocOp alloc = member->buffer.alloc;
    raiseAlignment(memory, alignmentOf(alloc));
    // Allocations without the attribute are aligned for any number.
    Type element = alloc.getType().getElementType();
    if (isa<VectorType>(element))
      raiseAlignment(memory, *bytesOf(MemRefType::get({}, element)));
    builder.setInsertionPoint(alloc);
    Value view = memref::ViewOp::create(
        builder, alloc.getLoc(), alloc.getType(), memory, zero, ValueRange());
    alloc.replaceAllUsesWith(view);
    alloc->erase();
  }
  return memory;
}

/// One buffer for several of the same type.
Value shareBuffer(ArrayRef<Life *> members) {
  Buffer &first = members.front()->buffer;
  if (!first.alloc) {
    Value value = first.dealloc.getMemref();
    for (Life *member : members.drop_front()) {
      member->buffer.alloc.replaceAllUsesWith(value);
      member->buffer.alloc->erase();
    }
    return value;
  }
  if (first.hoistOver)
    first.alloc->moveBefore(first.hoistOver);
  for (Life *member : members.drop_front()) {
    memref::AllocOp alloc = member->buffer.alloc;
    raiseAlignment(first.alloc, alignmentOf(alloc));
    alloc.replaceAllUsesWith(first.alloc.getResult());
    alloc->erase();
  }
  return first.alloc;
}

/// What of the memory of a pool is there earlier because its buffers come out
/// of loops and branches; all of it where it is not known how much.
int64_t hoistedBytesOf(ArrayRef<Life *> members) {
  Amount hoisted, first;
  for (Life *member : members) {
    const Buffer &buffer = member->buffer;
    if (buffer.hoistOver || (buffer.alloc && hoistedBytes(buffer.alloc)))
      hoisted = largest(hoisted, member->interval.amount());
    else if (member == members.front())
      first = member->interval.amount();
  }
  if (hoisted.all != hoisted.known)
    return first == hoisted ? 0 : ShapedType::kDynamic;
  return std::max<int64_t>(hoisted.known - first.known, 0);
}

void applyPool(ArrayRef<Life *> members, const Pool &pool) {
  Buffer &last = members.back()->buffer;
  if (members.size() == 1 && !last.hoistOver) {
    // What is freed later than its life ends would be alive unseen.
    if (last.alloc && last.dealloc)
      last.dealloc->moveAfter(last.lastUse);
    return;
  }
  int64_t hoisted = hoistedBytesOf(members);
  Value memory = pool.uniform ? shareBuffer(members)
                              : shareBytes(members, pool.size.known);
  if (members.front()->buffer.alloc)
    setHoistedBytes(memory.getDefiningOp<memref::AllocOp>(), hoisted);
  for (Life *member : members.drop_back())
    member->buffer.dealloc->erase();
  if (!last.dealloc)
    return; // who takes it frees it
  memref::DeallocOp dealloc = last.dealloc;
  dealloc.getMemrefMutable().assign(memory);
  dealloc->moveAfter(endOf(last));
}

/// The lives of a block with those that come out of its regions; those of
/// branches are not moved unless a buffer is free for them, if `optional`.
Lives Sharing::withMovable(Block &block, bool optional,
                           const Restraint &restraint) {
  giving.clear();
  Lives lives = memory.livesOf(block);
  std::vector<Amount> own = ownMemory(lives);
  for (auto [op, time] : lives.regionOps) {
    for (Region &region : op->getRegions())
      if (movable.contains(&region) && restraint.leaves(region))
        addMovable(lives, region, time + region.getRegionNumber(), own,
                   optional && !isSequentialLoop(op),
                   restraint.one.contains(op));
  }
  llvm::stable_sort(lives.lives, [](const Life &a, const Life &b) {
    return a.interval.start < b.interval.start;
  });
  return lives;
}

/// What a pool needs, and from when to when, all regions of an operation
/// included over which it is; `given` memory counts from where it was freed.
struct Span {
  unsigned start, end;
  Amount amount;
  llvm::SmallPtrSet<Operation *, 4> over;
};

Span spanOf(const Lives &lives, const Pool &pool) {
  const Life &first = lives.lives[pool.members.front()];
  const Life &last = lives.lives[pool.members.back()];
  Span span{first.interval.start, last.interval.end, pool.size, {}};
  int64_t alignment = 0;
  for (unsigned member : pool.members) {
    const Life &life = lives.lives[member];
    alignment = std::max(alignment, life.interval.alignment);
    if (life.buffer.hoistOver)
      span.over.insert(life.buffer.hoistOver);
  }
  span.amount += Amount::ofBytes(alignment);
  auto regionOf = [](const Life &life) {
    memref::AllocOp alloc = life.buffer.alloc;
    return alloc->getParentRegion()->getRegionNumber();
  };
  if (first.interval.given)
    span.start = first.interval.end + 1;
  if (first.buffer.hoistOver)
    span.start -= regionOf(first);
  if (Operation *op = last.buffer.hoistOver)
    span.end += op->getNumRegions() - 1 - regionOf(last);
  return span;
}

/// The operations around which more would be alive than there is room for: what
/// comes out of a region is alive in all of them.
SmallVector<Operation *> Sharing::overfull(Block &block, const Lives &lives,
                                           ArrayRef<Pool> pools) {
  AllocSet moved;
  llvm::DenseMap<Operation *, Amount> around;
  std::vector<Amount> alive(lives.others.size() + 1);
  for (const Pool &pool : pools) {
    for (unsigned member : pool.members)
      if (Buffer buffer = lives.lives[member].buffer; buffer.hoistOver)
        moved.insert(buffer.alloc);
    Span span = spanOf(lives, pool);
    for (Operation *op : span.over)
      around[op] += span.amount;
    if (span.start > span.end)
      continue;
    alive[span.start] += span.amount;
    alive[span.end + 1] += Amount() - span.amount;
  }
  for (size_t time = 1; time < alive.size(); ++time)
    alive[time] += alive[time - 1];
  std::vector<Amount> held = room.heldByTime(lives);
  Amount limit = memory.limit(block);
  SmallVector<Operation *> full;
  for (auto [op, time] : lives.regionOps) {
    if (!around.contains(op))
      continue;
    bool fits = true, lifted = false;
    for (Region &region : op->getRegions()) {
      unsigned at = time + region.getRegionNumber();
      auto found = movable.find(&region);
      std::vector<Amount> needs{lives.others[at]};
      if (found != movable.end())
        needs = found->second.without(moved);
      Amount own = alive[at] - around[op] + lives.results[at];
      if (own <= held[at] && isInside(region, needs, around[op]))
        continue;
      lifted = true;
      fits &= alive[at] + lives.results[at] + largestOf(needs) <= limit;
    }
    if (!fits)
      full.push_back(op);
    else if (lifted)
      room.setLifted(op);
  }
  return full;
}

std::vector<Pool> Sharing::pack(Block &block, const Lives &lives) {
  std::vector<Amount> held = room.heldByTime(lives);
  std::vector<Amount> allowed = room.inStep(lives);
  Amount sure = memory.sureLimit(block), limit = memory.limit(block);
  for (Amount &amount : allowed)
    amount = fullest(amount, sure);
  // Buffers that come out of a region have the room that the region has.
  for (auto [op, time] : lives.regionOps)
    for (Region &region : op->getRegions())
      if (giving.contains(&region)) {
        unsigned at = time + region.getRegionNumber();
        Amount inside = fullest(memory.certainLimit(region.front()),
                                memory.wholeLimit(region.front()));
        allowed[at] = fullest(allowed[at], fullest(held[at] + inside, limit));
      }
  // Where a function that is not known is called nothing more may be alive.
  for (unsigned time = 0; time < allowed.size(); ++time)
    if (lives.unknown[time])
      allowed[time] = Amount();
  return packIntervals(intervalsOf(lives.lives), lives.background(), allowed);
}

/// Whether all pools of the body of a loop can be allocated before it without
/// needing more than `before`. Else what came out of a branch would be
/// allocated in each iteration, and not only in those that take the branch.
bool canLeave(const Lives &lives, ArrayRef<Pool> pools, Amount before) {
  Amount sum;
  SmallVector<Interval> staying;
  for (const Pool &pool : pools) {
    const Life &last = lives.lives[pool.members.back()];
    if (last.interval.escapes || lives.lives[pool.members[0]].interval.given) {
      for (unsigned member : pool.members)
        staying.push_back(lives.lives[member].interval);
      continue;
    }
    int64_t alignment = 0;
    for (unsigned member : pool.members) {
      const Interval &interval = lives.lives[member].interval;
      alignment = std::max(alignment, interval.alignment);
    }
    sum += pool.size + Amount::ofBytes(alignment);
  }
  return sum + peakOf(staying, lives.background()) <= before;
}

void Sharing::share(Block &block, bool inLoop) {
  Lives lives = memory.livesOf(block);
  if (lives.others.empty())
    return;
  Amount before = lives.peak();
  findMovable(lives);
  Restraint restraint;
  bool optional = !inLoop;
  std::vector<Pool> pools;
  // Each attempt takes back what was too much; few take back all.
  for (unsigned round = 0;; ++round) {
    lives = withMovable(block, optional, restraint);
    pools = pack(block, lives);
    bool again = !optional && !canLeave(lives, pools, before);
    optional |= again;
    for (Operation *op : overfull(block, lives, pools))
      again |= restraint.add(op);
    if (!again)
      break;
    if (round == 4)
      for (auto [op, time] : lives.regionOps)
        restraint.none.insert(op);
  }
  AllocSet moved;
  for (Life &life : lives.lives)
    if (life.buffer.hoistOver)
      moved.insert(life.buffer.alloc);
  for (auto &[region, inside] : movable)
    if (!optional || isSequentialLoop(region->getParentOp()))
      memory.setNeeded(region->front(), largestOf(inside.without(moved)));
  for (const Pool &pool : pools) {
    SmallVector<Life *> members;
    for (unsigned member : pool.members)
      members.push_back(&lives.lives[member]);
    applyPool(members, pool);
  }
}

} // namespace

void shareBuffers(FunctionOpInterface function, CallMemory &calls) {
  Sharing(function, calls).run();
}

} // namespace onnxfold::deallocation
