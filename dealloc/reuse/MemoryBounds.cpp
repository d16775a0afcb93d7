//===- MemoryBounds.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/MemoryBounds.h"

#include "onnxfold/dealloc/ir/internal/Views.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace onnxfold::deallocation {

Amount sizeOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  std::optional<int64_t> bytes = memref ? bytesOf(memref) : std::nullopt;
  return bytes ? Amount::ofBytes(*bytes) : Amount::unknown();
}

CalleeMemory::CalleeMemory(ModuleOp module) {
  module->walk([&](memref::AllocOp alloc) {
    alignment = std::max(alignment, alignmentOf(alloc));
  });
}

Amount CalleeMemory::amountOf(Type type) const {
  return sizeOf(type) + Amount::ofBytes(alignment);
}

std::optional<FunctionMemory> CalleeMemory::of(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return std::nullopt;
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(call, symbol));
  if (!callee)
    return std::nullopt;
  if (callee.isExternal())
    return FunctionMemory();
  auto found = functions.find(callee);
  if (found == functions.end())
    return std::nullopt;
  return found->second;
}

Amount fullest(Amount a, Amount b) {
  auto guess = [](Amount amount) {
    return amount.known +
           (amount.all - amount.known) / Amount::unknown().all * 4096;
  };
  return guess(a) < guess(b) ? b : a;
}

MemoryBounds::MemoryBounds(FunctionOpInterface function, CalleeMemory &callees)
    : function(function), callees(callees) {
  for (Block &block : function.getFunctionBody())
    computeBaseline(block);
}

/// The baseline of what an operation runs.
Baseline MemoryBounds::baselineInside(Operation &op, bool &unknown) {
  Baseline inside;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    std::optional<FunctionMemory> callee = callees.of(call);
    unknown |= !callee;
    inside = callee.value_or(FunctionMemory()).baseline;
    inside.withLoops = inside.withBranches;
  }
  for (Region &region : op.getRegions())
    for (Block &nested : region) {
      Baseline more = computeBaseline(nested);
      inside.withBranches = fullest(inside.withBranches, more.withBranches);
      if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op) &&
          region.hasOneBlock())
        inside = more;
      unknown |= unknownIn.lookup(&nested);
    }
  if (isa<LoopLikeOpInterface>(op))
    inside.withLoops = inside.withBranches;
  return inside;
}

/// A function that returns a memref may have freed an operand, whose memory the
/// result then replaces.
bool MemoryBounds::mayFreeOperands(Operation &op) const {
  if (isa<memref::ReallocOp>(op) ||
      (isa<CallOpInterface>(op) && llvm::any_of(op.getResults(), isMemRef)))
    return true;
  return llvm::any_of(op.getRegions(), [&](Region &region) {
    return llvm::any_of(region, [&](Block &nested) {
      return mayFreeLiveIns(nested) ||
             llvm::any_of(nested.getOps<memref::DeallocOp>(), freesLiveIn);
    });
  });
}

Baseline MemoryBounds::computeBaseline(Block &block) {
  Amount own;
  Baseline most;
  bool unknown = false;
  for (Operation &op : block) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      own += sizeOf(alloc.getType()) + Amount::ofBytes(alignmentOf(alloc));
    Baseline inside = baselineInside(op, unknown);
    if (mayFreeOperands(op))
      freeing.insert(&block);
    most.straightLine = fullest(most.straightLine, own + inside.straightLine);
    most.withLoops = fullest(most.withLoops, own + inside.withLoops);
    most.withBranches = fullest(most.withBranches, own + inside.withBranches);
  }
  unknownIn[&block] = unknown;
  carriedAtFirst[&block] = carried(block);
  return baselines[&block] = most;
}

Amount MemoryBounds::bodyLimit(Block &block) const {
  Operation *parent = block.getParentOp();
  Amount whole;
  if (isSequentialLoop(parent))
    for (Region &region : parent->getRegions())
      whole = fullest(whole, baseline(region.front()).withBranches);
  if (parent == function && block.getParent()->hasOneBlock())
    whole = baseline(block).withBranches;
  return whole;
}

Amount MemoryBounds::limit(Block &block) const {
  return fullest(runLimit(block), bodyLimit(block));
}

bool MemoryBounds::callsUnknown(Region &region) const {
  return llvm::any_of(region,
                      [&](Block &block) { return unknownIn.lookup(&block); });
}

Amount MemoryBounds::carried(Block &block) const {
  Amount sum;
  if (isSequentialLoop(block.getParentOp()))
    for (Type type : block.getArgumentTypes())
      if (isa<BaseMemRefType>(type))
        sum += callees.amountOf(type);
  return sum;
}

FunctionMemory MemoryBounds::ofFunction() const {
  FunctionMemory memory;
  FunctionOpInterface op = function;
  for (Block &block : op.getFunctionBody()) {
    memory.peak += peak(block);
    memory.baseline.withBranches =
        fullest(memory.baseline.withBranches, baseline(block).withBranches);
    if (block.isEntryBlock())
      memory.baseline.straightLine = baseline(block).straightLine;
  }
  return memory;
}

} // namespace onnxfold::deallocation
