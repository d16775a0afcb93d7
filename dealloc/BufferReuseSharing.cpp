//===- BufferReuseSharing.cpp - Buffers that share memory, and hoisting ---===//
//
// Block by block, the inner ones first. A block is a line of time; its buffers
// are intervals, and so are the buffers of its loops and branches, which last
// as long as the region that they come from. Regions of one operation are
// different times. What packIntervals puts into one pool becomes one
// allocation; what came out of a region is hoisted by that.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dealloc/BufferReuseSteps.h"
#include "onnxfold/dealloc/BufferUses.h"
#include "onnxfold/dealloc/IntervalPacking.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>
#include <map>

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

/// What an interval stands for.
struct Buffer {
  memref::AllocOp alloc;          // null for one that is only freed here
  memref::DeallocOp dealloc;      // null for one that escapes
  Operation *lastUse = nullptr;   // in its block
  Operation *hoistOver = nullptr; // where it comes out of a region
};

struct Life {
  Interval interval;
  Buffer buffer;
};

/// The lives of a block's own buffers, by time.
struct Lives {
  std::vector<Life> lives;
  std::vector<int64_t> others; // bytes of what its regions keep
  SmallVector<std::pair<Operation *, unsigned>> regionOps; // and first times

  SmallVector<Interval> intervals() const {
    return llvm::map_to_vector(lives,
                               [](const Life &life) { return life.interval; });
  }
};

/// What may leave a region, and what the rest of it needs.
struct Movable {
  std::vector<Life> lives; // times are those of the region
  std::vector<int64_t> others;

  int64_t peakWithout(size_t leaving) const {
    auto staying =
        llvm::map_to_vector(ArrayRef(lives).drop_front(leaving),
                            [](const Life &life) { return life.interval; });
    return peakOf(staying, others);
  }
};

class Sharing {
public:
  explicit Sharing(FunctionOpInterface function) : function(function) {}

  void run() {
    for (Block &block : function.getFunctionBody())
      heldAtOnce(block);
    for (Block &block : function.getFunctionBody())
      visit(block, /*inLoop=*/false);
  }

private:
  /// What upstream needs for a block: its buffers live until its end.
  int64_t heldAtOnce(Block &block) {
    int64_t own = 0, most = 0;
    for (Operation &op : block) {
      if (auto alloc = dyn_cast<memref::AllocOp>(op))
        own += bytesOf(alloc.getType()).value_or(0);
      int64_t inside = 0;
      for (Region &region : op.getRegions()) {
        int64_t sum = 0;
        for (Block &nested : region)
          sum += heldAtOnce(nested);
        inside = std::max(inside, sum);
      }
      most = std::max(most, own + inside);
    }
    return held[&block] = most;
  }

  void visit(Block &block, bool inLoop) {
    // Loops are replaced on the way, and what follows them.
    SmallVector<Operation *> withRegions;
    for (Operation &op : block)
      if (op.getNumRegions())
        withRegions.push_back(&op);
    for (Operation *op : withRegions) {
      bool worthIt = isSequentialLoop(op) || (inLoop && isSequential(op));
      for (Region &region : op->getRegions())
        for (Block &nested : region)
          visit(nested, worthIt);
      if (isSequentialLoop(op))
        simplifyLoop(doubleBuffer(op));
    }
    share(block, inLoop);
  }

  void share(Block &block, bool inLoop);
  Lives livesOf(Block &block);
  void addBuffers(Lives &lives, Block &block,
                  const llvm::DenseMap<Operation *, unsigned> &lastTimes);
  Movable movableOut(Operation *op, Block &block);
  void addMovable(Lives &lives, Region &region, unsigned time, bool optional,
                  int64_t room);
  Interval intervalOf(MemRefType type, ValueRange sizes, unsigned start,
                      unsigned end, int64_t alignment);

  FunctionOpInterface function;
  llvm::DenseMap<Block *, int64_t> held, residual;
  // Numbers of types with their dynamic sizes, and of memory spaces.
  std::map<std::pair<const void *, std::vector<void *>>, unsigned> kinds;
  std::map<const void *, unsigned> spaces;
};

Interval Sharing::intervalOf(MemRefType type, ValueRange sizes, unsigned start,
                             unsigned end, int64_t alignment) {
  std::vector<void *> key;
  for (Value size : sizes)
    key.push_back(size.getAsOpaquePointer());
  unsigned kind =
      kinds.try_emplace({type.getAsOpaquePointer(), key}, kinds.size())
          .first->second;
  const void *spaceKey = type.getMemorySpace().getAsOpaquePointer();
  unsigned space = spaces.try_emplace(spaceKey, spaces.size()).first->second;
  std::optional<int64_t> bytes = bytesOf(type);
  bool flexible = bytes && *bytes > 0 && type.getLayout().isIdentity();
  return {start,         end,   bytes.value_or(0), alignment,
          /*kind=*/kind, space, flexible};
}

/// Buffers, and their lives in a block whose operations have the last times
/// `lastTimes`.
void Sharing::addBuffers(
    Lives &lives, Block &block,
    const llvm::DenseMap<Operation *, unsigned> &lastTimes) {
  unsigned end = lives.others.empty() ? 0 : lives.others.size() - 1;
  llvm::SmallPtrSet<Operation *, 16> mine;
  SmallVector<LocalBuffer> unused;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    if (!alloc.getSymbolOperands().empty())
      continue;
    unsigned start = lastTimes.lookup(alloc);
    Interval interval = intervalOf(alloc.getType(), alloc.getDynamicSizes(),
                                   start, end, alignmentOf(alloc));
    auto local = asLocalBuffer(alloc);
    if (!local) {
      interval.escapes = true;
      interval.flexible = false;
      lives.lives.push_back({interval, {alloc, nullptr, nullptr, nullptr}});
      continue;
    }
    mine.insert(local->dealloc);
    if (local->lastUse == alloc) {
      unused.push_back(*local);
      continue;
    }
    interval.end = lastTimes.lookup(local->lastUse);
    lives.lives.push_back(
        {interval, {alloc, local->dealloc, local->lastUse, nullptr}});
  }
  for (auto dealloc : block.getOps<memref::DeallocOp>()) {
    auto type = dyn_cast<MemRefType>(dealloc.getMemref().getType());
    if (mine.contains(dealloc) || !type || !type.hasStaticShape())
      continue;
    Interval interval = intervalOf(type, {}, 0, lastTimes.lookup(dealloc),
                                   knownAlignment(dealloc.getMemref()));
    interval.given = true;
    lives.lives.push_back({interval, {nullptr, dealloc, dealloc, nullptr}});
  }
  for (LocalBuffer &local : unused) {
    local.dealloc->erase();
    local.alloc->erase();
  }
}

Lives Sharing::livesOf(Block &block) {
  Lives lives;
  llvm::DenseMap<Operation *, unsigned> lastTimes;
  for (Operation &op : block) {
    if (op.getNumRegions())
      lives.regionOps.emplace_back(&op, lives.others.size());
    // One time per region of what runs them one after the other.
    SmallVector<int64_t> needs(isSequential(&op) ? op.getNumRegions() : 1);
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        needs[isSequential(&op) ? region.getRegionNumber() : 0] +=
            residual.lookup(&nested);
    lives.others.insert(lives.others.end(), needs.begin(), needs.end());
    lastTimes[&op] = lives.others.size() - 1;
  }
  addBuffers(lives, block, lastTimes);
  return lives;
}

/// The buffers of a block that may live around `op`, the largest last, so that
/// the first ones leave where there is not room for all.
Movable Sharing::movableOut(Operation *op, Block &block) {
  Lives lives = livesOf(block);
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
  movable.others = profileOf(staying, lives.others);
  llvm::stable_sort(movable.lives, [](const Life &a, const Life &b) {
    return a.interval.bytes < b.interval.bytes;
  });
  return movable;
}

/// Adds the buffers of a region to those of the block around it, as many as
/// there are `room` bytes for. `time` is the region's in that block.
void Sharing::addMovable(Lives &lives, Region &region, unsigned time,
                         bool optional, int64_t room) {
  Block &block = region.front();
  Movable movable = movableOut(region.getParentOp(), block);
  auto needs = [&](size_t leaving) {
    int64_t sum = movable.peakWithout(leaving);
    for (const Life &life : ArrayRef(movable.lives).take_front(leaving))
      sum += life.interval.bytes;
    return sum;
  };
  // All, or all but 1, 2, 4, ... of the largest.
  size_t leaving = movable.lives.size();
  for (size_t step = 1; !optional && leaving && needs(leaving) > room;
       step *= 2)
    leaving -= std::min(step, leaving);
  residual[&block] = movable.peakWithout(optional ? 0 : leaving);
  lives.others[time] = movable.peakWithout(leaving);
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
  if (members.size() == 1 && !last.hoistOver)
    return;
  Value memory =
      pool.uniform ? shareBuffer(members) : shareBytes(members, pool.bytes);
  for (Life *member : members.drop_back())
    member->buffer.dealloc->erase();
  if (!last.dealloc)
    return; // who takes it frees it
  memref::DeallocOp dealloc = last.dealloc;
  dealloc.getMemrefMutable().assign(memory);
  dealloc->moveAfter(endOf(last));
}

void Sharing::share(Block &block, bool inLoop) {
  Lives lives = livesOf(block);
  if (lives.others.empty())
    return;
  int64_t bound =
      std::max(held.lookup(&block), peakOf(lives.intervals(), lives.others));
  std::vector<int64_t> own =
      profileOf(lives.intervals(), std::vector<int64_t>(lives.others.size()));
  for (auto [op, time] : lives.regionOps) {
    bool sequential = isSequential(op);
    bool optional = !inLoop && !isSequentialLoop(op);
    for (Region &region : op->getRegions()) {
      if (sequential && region.hasOneBlock()) {
        unsigned at = time + region.getRegionNumber();
        addMovable(lives, region, at, optional, bound - own[at]);
        continue;
      }
      for (Block &nested : region) {
        Lives inside = livesOf(nested);
        residual[&nested] = peakOf(inside.intervals(), inside.others);
      }
    }
  }
  llvm::stable_sort(lives.lives, [](const Life &a, const Life &b) {
    return a.interval.start < b.interval.start;
  });
  std::vector<Pool> pools =
      packIntervals(lives.intervals(), lives.others, bound);
  for (const Pool &pool : pools) {
    SmallVector<Life *> members;
    for (unsigned member : pool.members)
      members.push_back(&lives.lives[member]);
    applyPool(members, pool);
  }
}

} // namespace

void shareBuffers(FunctionOpInterface function) { Sharing(function).run(); }

} // namespace onnxfold::deallocation
