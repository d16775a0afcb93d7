//===- BufferReuseSharing.cpp - Buffers that share memory, and hoisting ---===//
//
// Block by block, the inner ones first. The buffers of a block are intervals,
// and so are those of its loops and branches, which last as long as the region
// that they come from. What packIntervals puts into one pool becomes one
// allocation; what came out of a region is hoisted by that.
//
// A change that makes a block need more than upstream holds, as far as
// BufferLives.h knows, is not made.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dealloc/BufferLives.h"
#include "onnxfold/dealloc/BufferReuseSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

/// What may leave a region, and what the rest of it needs.
struct Movable {
  std::vector<Life> lives; // times are those of the region
  std::vector<Amount> others, sure;

  Amount peakWithout(size_t leaving) const {
    return peakOf(intervalsOf(ArrayRef(lives).drop_front(leaving)), others);
  }
  Amount surePeakWithout(size_t leaving) const {
    return peakOf(intervalsOf(ArrayRef(lives).drop_front(leaving)), sure);
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
    memory.setSure(block, lives.surePeak());
  }

  void changeLoops(Block &block);
  void exchange(ArrayRef<Amount> own, Amount limit, Operation *loop,
                unsigned time);
  void share(Block &block, bool inLoop);
  using OperationSet = llvm::SmallPtrSet<Operation *, 4>;
  Lives withMovable(Block &block, bool optional, const OperationSet &oneOnly);
  OperationSet overfull(Block &block, const Lives &lives, ArrayRef<Pool> pools);
  std::vector<Pool> pack(Block &block, const Lives &lives);
  Movable movableOut(Operation *op, Block &block);
  void addMovable(Lives &lives, Region &region, unsigned time, bool optional,
                  Amount room);

  FunctionOpInterface function;
  CallMemory &calls;
  BlockMemory memory;
};

/// What the block's own buffers and the results in it take, by time.
std::vector<Amount> ownMemory(const Lives &lives) {
  return profileOf(intervalsOf(lives.lives), lives.results);
}

/// Double buffering, where there is memory for the buffers that go around.
void Sharing::exchange(ArrayRef<Amount> own, Amount limit, Operation *loop,
                       unsigned time) {
  LoopExchanges exchanges = findExchanges(loop, memory.alignments());
  if (exchanges.empty())
    return;
  Amount before, after, spares;
  for (Type type : exchanges.spareTypes())
    spares += calls.amountOf(type);
  SmallVector<Amount> needed;
  for (Region &region : loop->getRegions()) {
    Lives inside = memory.livesOf(region.front());
    before = largest(before, inside.surePeak());
    llvm::erase_if(inside.lives, [&](const Life &life) {
      return exchanges.takes(life.buffer.alloc);
    });
    needed.push_back(inside.peak());
    after = largest(after, needed.back());
  }
  if (!(spares + after <= allowedFor(before, limit - own[time])))
    return;
  Operation *result = doubleBuffer(loop, exchanges);
  for (auto [region, amount] : llvm::zip(result->getRegions(), needed)) {
    memory.setNeeded(region.front(), amount);
    memory.setSure(region.front(), memory.livesOf(region.front()).surePeak());
  }
}

void Sharing::changeLoops(Block &block) {
  Lives lives = memory.livesOf(block);
  std::vector<Amount> own = ownMemory(lives);
  for (auto [op, time] : lives.regionOps)
    if (isSequentialLoop(op) && !lives.unknown[time])
      exchange(own, memory.limit(block), op, time);
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
  movable.sure = profileOf(staying, lives.sure);
  llvm::stable_sort(movable.lives, [](const Life &a, const Life &b) {
    return a.interval.size.all < b.interval.size.all;
  });
  return movable;
}

/// Adds the buffers of a region to those of the block around it, as many as
/// there is `room` for. `time` is the region's in that block.
void Sharing::addMovable(Lives &lives, Region &region, unsigned time,
                         bool optional, Amount room) {
  Block &block = region.front();
  Movable movable = movableOut(region.getParentOp(), block);
  auto needs = [&](size_t leaving) {
    Amount sum = movable.peakWithout(leaving);
    for (const Life &life : ArrayRef(movable.lives).take_front(leaving))
      sum += life.interval.amount();
    return sum;
  };
  // All, or all but 1, 2, 4, ... of the largest.
  size_t leaving = movable.lives.size();
  for (size_t step = 1; !optional && leaving && !(needs(leaving) <= room);
       step *= 2)
    leaving -= std::min(step, leaving);
  lives.others[time] = movable.peakWithout(leaving);
  memory.setNeeded(block, movable.peakWithout(optional ? 0 : leaving));
  memory.setSure(block, movable.surePeakWithout(leaving));
  for (Life &life : MutableArrayRef(movable.lives).take_front(leaving)) {
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

void applyPool(ArrayRef<Life *> members, const Pool &pool) {
  Buffer &last = members.back()->buffer;
  if (members.size() == 1 && !last.hoistOver) {
    // What is freed later than its life ends would be alive unseen.
    if (last.alloc && last.dealloc)
      last.dealloc->moveAfter(last.lastUse);
    return;
  }
  Value memory = pool.uniform ? shareBuffer(members)
                              : shareBytes(members, pool.size.known);
  for (Life *member : members.drop_back())
    member->buffer.dealloc->erase();
  if (!last.dealloc)
    return; // who takes it frees it
  memref::DeallocOp dealloc = last.dealloc;
  dealloc.getMemrefMutable().assign(memory);
  dealloc->moveAfter(endOf(last));
}

/// The lives of a block with those that come out of its regions; branches'
/// stay where they are unless a buffer is free for them, if `optional`. Of
/// the operations in `oneOnly` one region gives up its buffers.
Lives Sharing::withMovable(Block &block, bool optional,
                           const OperationSet &oneOnly) {
  Lives lives = memory.livesOf(block);
  Amount limit = memory.limit(block);
  std::vector<Amount> own = ownMemory(lives);
  for (auto [op, time] : lives.regionOps) {
    if (!isSequential(op) || lives.unknown[time])
      continue;
    bool isLoop = isSequentialLoop(op);
    unsigned only = isLoop ? op->getNumRegions() - 1 : 0;
    for (Region &region : op->getRegions()) {
      unsigned at = time + region.getRegionNumber();
      if (region.hasOneBlock() &&
          (!oneOnly.contains(op) || region.getRegionNumber() == only))
        addMovable(lives, region, at, optional && !isLoop,
                   allowedFor(lives.sure[at], limit - own[at]));
    }
  }
  llvm::stable_sort(lives.lives, [](const Life &a, const Life &b) {
    return a.interval.start < b.interval.start;
  });
  return lives;
}

/// The operations for which there was room for the buffers of each region, but
/// is not for those of all, which are alive in all of them.
Sharing::OperationSet Sharing::overfull(Block &block, const Lives &lives,
                                        ArrayRef<Pool> pools) {
  llvm::DenseMap<Operation *, Amount> moved;
  for (const Pool &pool : pools) {
    OperationSet over;
    int64_t alignment = 0;
    for (unsigned member : pool.members) {
      const Life &life = lives.lives[member];
      alignment = std::max(alignment, life.interval.alignment);
      if (life.buffer.hoistOver)
        over.insert(life.buffer.hoistOver);
    }
    for (Operation *op : over)
      moved[op] += pool.size + Amount::ofBytes(alignment);
  }
  Lives before = memory.livesOf(block);
  std::vector<Amount> own = ownMemory(before);
  OperationSet full;
  for (auto [op, time] : lives.regionOps) {
    if (op->getNumRegions() < 2 || !moved.contains(op))
      continue;
    Amount sure, rest;
    for (unsigned at = time; at < time + op->getNumRegions(); ++at) {
      sure = largest(sure, lives.sure[at]);
      rest = largest(rest, lives.others[at]);
    }
    Amount room = allowedFor(sure, memory.limit(block) - own[time]);
    if (!(moved[op] + rest <= room))
      full.insert(op);
  }
  return full;
}

std::vector<Pool> Sharing::pack(Block &block, const Lives &lives) {
  std::vector<Amount> background = lives.background();
  std::vector<Amount> allowed(background.size(), memory.limit(block));
  // Where a function that is not known is called nothing more may be alive.
  for (unsigned time = 0; time < allowed.size(); ++time)
    if (lives.unknown[time])
      allowed[time] = Amount();
  return packIntervals(intervalsOf(lives.lives), background, allowed);
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
  Amount before = memory.livesOf(block).peak();
  OperationSet oneOnly;
  bool optional = !inLoop;
  Lives lives;
  std::vector<Pool> pools;
  // Each round takes back what was too much; three change all there is.
  for (unsigned round = 0; round < 4; ++round) {
    lives = withMovable(block, optional, oneOnly);
    if (lives.others.empty())
      return;
    pools = pack(block, lives);
    bool again = !optional && !canLeave(lives, pools, before);
    optional |= again;
    for (Operation *op : overfull(block, lives, pools))
      again |= oneOnly.insert(op).second;
    if (!again)
      break;
  }
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
