//===- BufferLives.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/BufferLives.h"

#include "onnxfold/dealloc/ir/internal/Views.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace onnxfold::deallocation {

static Amount sizeOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  std::optional<int64_t> bytes = memref ? bytesOf(memref) : std::nullopt;
  return bytes ? Amount::ofBytes(*bytes) : Amount::unknown();
}

CallMemory::CallMemory(ModuleOp module) {
  module->walk([&](memref::AllocOp alloc) {
    alignment = std::max(alignment, alignmentOf(alloc));
  });
}

Amount CallMemory::amountOf(Type type) const {
  return sizeOf(type) + Amount::ofBytes(alignment);
}

std::optional<Memory> CallMemory::of(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return std::nullopt;
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(call, symbol));
  if (!callee)
    return std::nullopt;
  if (callee.isExternal())
    return Memory();
  auto found = functions.find(callee);
  if (found == functions.end())
    return std::nullopt;
  return found->second;
}

SmallVector<Interval> intervalsOf(ArrayRef<Life> lives) {
  return llvm::map_to_vector(lives,
                             [](const Life &life) { return life.interval; });
}

std::vector<Amount> Lives::background() const {
  std::vector<Amount> sum = others;
  for (auto [time, amount] : llvm::enumerate(results))
    sum[time] += amount;
  return sum;
}

BlockMemory::BlockMemory(FunctionOpInterface function, CallMemory &calls)
    : function(function), calls(calls) {
  for (Block &block : function.getFunctionBody())
    heldIn(block);
}

Amount fullest(Amount a, Amount b) {
  auto guess = [](Amount amount) {
    return amount.known +
           (amount.all - amount.known) / Amount::unknown().all * 4096;
  };
  return guess(a) < guess(b) ? b : a;
}

/// What an operation holds while it runs.
Held BlockMemory::heldBy(Operation &op, bool &unknown) {
  Held inside;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    std::optional<Memory> memory = calls.of(call);
    unknown |= !memory;
    inside = memory.value_or(Memory()).held;
    inside.certain = inside.all;
  }
  for (Region &region : op.getRegions())
    for (Block &nested : region) {
      Held more = heldIn(nested);
      inside.all = fullest(inside.all, more.all);
      if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op) &&
          region.hasOneBlock())
        inside = more;
      unknown |= unknownIn.lookup(&nested);
    }
  if (isa<LoopLikeOpInterface>(op))
    inside.certain = inside.all;
  return inside;
}

bool freesFromOutside(memref::DeallocOp dealloc) {
  auto alloc = viewSource(dealloc.getMemref()).getDefiningOp<memref::AllocOp>();
  return !alloc || alloc->getBlock() != dealloc->getBlock();
}

/// A function with a memref among its results may have freed an operand.
bool BlockMemory::mayFreeInside(Operation &op) const {
  if (isa<memref::ReallocOp>(op) ||
      (isa<CallOpInterface>(op) && llvm::any_of(op.getResults(), isMemRef)))
    return true;
  return llvm::any_of(op.getRegions(), [&](Region &region) {
    return llvm::any_of(region, [&](Block &nested) {
      return freesInside(nested) ||
             llvm::any_of(nested.getOps<memref::DeallocOp>(), freesFromOutside);
    });
  });
}

Held BlockMemory::heldIn(Block &block) {
  Amount own;
  Held most;
  bool unknown = false;
  for (Operation &op : block) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      own += sizeOf(alloc.getType()) + Amount::ofBytes(alignmentOf(alloc));
    Held inside = heldBy(op, unknown);
    if (mayFreeInside(op))
      freeing.insert(&block);
    most.sure = fullest(most.sure, own + inside.sure);
    most.certain = fullest(most.certain, own + inside.certain);
    most.all = fullest(most.all, own + inside.all);
  }
  unknownIn[&block] = unknown;
  carriedAtFirst[&block] = carried(block);
  return heldOf[&block] = most;
}

Amount BlockMemory::wholeLimit(Block &block) const {
  Operation *parent = block.getParentOp();
  Amount whole;
  if (isSequentialLoop(parent))
    for (Region &region : parent->getRegions())
      whole = fullest(whole, held(region.front()).all);
  if (parent == function && block.getParent()->hasOneBlock())
    whole = held(block).all;
  return whole;
}

Amount BlockMemory::limit(Block &block) const {
  return fullest(certainLimit(block), wholeLimit(block));
}

bool BlockMemory::callsUnknown(Region &region) const {
  return llvm::any_of(region,
                      [&](Block &block) { return unknownIn.lookup(&block); });
}

Memory BlockMemory::ofFunction() {
  Memory memory;
  for (Block &block : function.getFunctionBody()) {
    memory.needed += neededOf.lookup(&block);
    memory.held.all = fullest(memory.held.all, held(block).all);
    if (block.isEntryBlock())
      memory.held.sure = held(block).sure;
  }
  return memory;
}

/// One time, or one per region of what runs them one after the other.
void BlockMemory::addTimes(Lives &lives, Operation &op) {
  if (op.getNumRegions())
    lives.regionOps.emplace_back(&op, lives.others.size());
  bool inTurn = isSequential(&op);
  SmallVector<Amount> needs(inTurn ? op.getNumRegions() : 1);
  bool unknown = false;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    std::optional<Memory> memory = calls.of(call);
    unknown = !memory;
    needs[0] = memory.value_or(Memory()).needed;
  }
  for (Region &region : op.getRegions()) {
    unknown |= callsUnknown(region);
    for (Block &nested : region) {
      unsigned index = inTurn ? region.getRegionNumber() : 0;
      needs[index] += neededOf.lookup(&nested);
    }
  }
  lives.others.insert(lives.others.end(), needs.begin(), needs.end());
  lives.unknown.resize(lives.others.size(), unknown);
  lastTimes[&op] = lives.others.size() - 1;
}

Interval BlockMemory::intervalOf(MemRefType type, ValueRange sizes,
                                 unsigned start, unsigned end,
                                 int64_t alignment) {
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
  return {start, end, sizeOf(type), alignment, kind, space, flexible};
}

void BlockMemory::addBuffers(Lives &lives, Block &block) {
  unsigned end = lives.others.empty() ? 0 : lives.others.size() - 1;
  llvm::SmallPtrSet<Operation *, 16> mine;
  SmallVector<LocalBuffer> unused;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    if (!alloc.getSymbolOperands().empty())
      continue;
    Interval interval =
        intervalOf(alloc.getType(), alloc.getDynamicSizes(),
                   lastTimes.lookup(alloc), end, alignmentOf(alloc));
    auto local = asLocalBuffer(alloc);
    if (!local) {
      interval.escapes = true;
      interval.flexible = false;
      lives.lives.push_back({interval, {alloc, nullptr}});
      continue;
    }
    mine.insert(local->dealloc);
    if (local->lastUse == alloc) {
      unused.push_back(*local);
      continue;
    }
    interval.end = lastTimes.lookup(local->lastUse);
    lives.lives.push_back({interval, {alloc, local->dealloc, local->lastUse}});
  }
  for (auto dealloc : block.getOps<memref::DeallocOp>()) {
    auto type = dyn_cast<MemRefType>(dealloc.getMemref().getType());
    if (mine.contains(dealloc) || !type || !type.hasStaticShape())
      continue;
    Interval interval =
        intervalOf(type, {}, 0, lastTimes.lookup(dealloc),
                   knownAlignment(dealloc.getMemref(), &knownAlignments));
    interval.given = true;
    lives.lives.push_back({interval, {nullptr, dealloc, dealloc}});
  }
  for (LocalBuffer &local : unused) {
    local.dealloc->erase();
    local.alloc->erase();
  }
}

Amount BlockMemory::carried(Block &block) const {
  Amount sum;
  if (isSequentialLoop(block.getParentOp()))
    for (Type type : block.getArgumentTypes())
      if (isa<BaseMemRefType>(type))
        sum += calls.amountOf(type);
  return sum;
}

/// A result of a call, of a branch or a loop may be memory that was allocated
/// there, and what a block of a loop is given that of an earlier iteration.
void BlockMemory::addResults(Lives &lives, Block &block) {
  size_t times = lives.others.size();
  std::vector<Amount> change(times + 1);
  Amount always = carried(block);
  change[0] += always;
  for (Operation &op : block) {
    if (!isa<CallOpInterface, RegionBranchOpInterface, bufferization::CloneOp,
             memref::ReallocOp>(op))
      continue;
    for (Value result : op.getResults()) {
      if (!isa<BaseMemRefType>(result.getType()))
        continue;
      unsigned end = times;
      for (Operation *user : result.getUsers())
        if (isa<memref::DeallocOp>(user) && user->getBlock() == &block)
          end = lastTimes.lookup(user);
      change[lastTimes.lookup(&op) + 1] += calls.amountOf(result.getType());
      change[end] += Amount() - calls.amountOf(result.getType());
    }
  }
  Amount alive;
  for (size_t time = 0; time < times; ++time)
    lives.results.push_back(alive += change[time]);
}

Lives BlockMemory::livesOf(Block &block) {
  Lives lives;
  for (Operation &op : block)
    addTimes(lives, op);
  addResults(lives, block);
  addBuffers(lives, block);
  return lives;
}

} // namespace onnxfold::deallocation
