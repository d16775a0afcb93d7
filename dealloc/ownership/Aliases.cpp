//===- Aliases.cpp - Which memrefs may be views of one allocation ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Aliases.h"

#include "onnxfold/dealloc/ir/internal/Flow.h"
#include "onnxfold/dealloc/ir/internal/Views.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

/// The Allocate effect of an operation on its result, if it has one.
static std::optional<MemoryEffects::EffectInstance>
allocateEffect(OpResult result) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(result.getOwner());
  if (!effects || !isMemRef(result))
    return std::nullopt;
  return effects.getEffectOnValue<MemoryEffects::Allocate>(result);
}

bool deallocation::isAllocated(OpResult result) {
  auto effect = allocateEffect(result);
  return effect && !isa<SideEffects::AutomaticAllocationScopeResource>(
                       effect->getResource());
}

bool deallocation::isAutomatic(OpResult result) {
  auto effect = allocateEffect(result);
  return effect && isa<SideEffects::AutomaticAllocationScopeResource>(
                       effect->getResource());
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

Aliases::Aliases(ModuleOp module, Functions &functions) : functions(functions) {
  for (auto function : module.getOps<func::FuncOp>())
    number(function);
  module.walk([&](func::CallOp call) {
    if (func::FuncOp callee = functions.calleeOf(call))
      calls[callee].push_back(call);
  });
  // Begins with "nothing is shared": functions and loops may depend on each
  // other in circles. What is known of sources depends on the summaries.
  bool changed = true;
  while (changed) {
    knownSources.clear();
    changed = refineGroups();
    for (auto function : module.getOps<func::FuncOp>())
      changed |= refineSummary(function);
  }
}

void Aliases::number(Operation *op) {
  auto addFlow = [this](Value input, Value operand) {
    predecessors[input].push_back(operand);
  };
  places[op] = next++;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    llvm::ReversePostOrderTraversal<Region *> blocks(&region);
    for (Block *block : blocks) {
      blockPlaces[block] = next++;
      addGroup(block->getArguments());
      if (!block->isEntryBlock())
        forEachFlow(block, addFlow);
      for (Operation &nested : *block)
        number(&nested);
    }
  }
  if (op->getNumRegions() == 0 && !functions.lookup(op))
    return;
  forEachFlow(op, addFlow);
  addGroup(op->getResults());
}

void Aliases::addGroup(ValueRange values) {
  SmallVector<Value, 4> group;
  llvm::copy_if(values, std::back_inserter(group), isMemRef);
  if (group.size() > 1)
    groups.push_back(std::move(group));
}

unsigned Aliases::place(Value value) const {
  if (Operation *op = value.getDefiningOp())
    return places.lookup(op);
  return blockPlaces.lookup(value.getParentBlock());
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

ArrayRef<Value> Aliases::sources(OpResult result) {
  auto known = knownSources.find(result);
  if (known != knownSources.end())
    return known->second;
  SmallVector<Value> found;
  computeSources(result, found);
  return knownSources[result] = std::vector<Value>(found.begin(), found.end());
}

/// Every memref that `op` can reach: operands and captures.
static void collectReachable(Operation *op, SmallVectorImpl<Value> &found) {
  llvm::SetVector<Value> values;
  for (Value operand : op->getOperands())
    if (isMemRef(operand))
      values.insert(operand);
  if (op->getNumRegions() != 0) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      if (isMemRef(value))
        values.insert(value);
  }
  llvm::append_range(found, values);
}

void Aliases::computeSources(OpResult result, SmallVectorImpl<Value> &found) {
  Operation *op = result.getOwner();
  if (!isMemRef(result) || isAllocated(result) || isAutomatic(result))
    return;
  if (Value source = viewedOperand(op)) {
    found.push_back(source);
    return;
  }
  if (isa<RegionBranchOpInterface>(op) && predecessors.contains(result))
    return traverse({result}, op, found);
  if (FunctionInfo *info = functions.lookup(op)) {
    for (unsigned argument :
         info->argumentsOf[result.getResultNumber()].set_bits())
      if (isMemRef(op->getOperand(argument)))
        found.push_back(op->getOperand(argument));
    return;
  }
  if (isa<CallOpInterface>(op))
    return; // an indirect call returns new memory
  collectReachable(op, found);
}

/// Follows `work` backwards to values that are defined outside of `scope`.
void Aliases::traverse(SmallVector<Value> work, Operation *scope,
                       SmallVectorImpl<Value> &found) {
  llvm::SetVector<Value> seen, outside;
  auto visit = [&](Value value) {
    if (seen.insert(value))
      work.push_back(value);
  };
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *parent = value.getParentBlock()->getParentOp();
    bool isScope = value.getDefiningOp() == scope;
    if (!isScope && !scope->isAncestor(parent)) {
      outside.insert(value);
      continue;
    }
    auto edges = predecessors.find(value);
    if (edges != predecessors.end() && (isScope || isa<BlockArgument>(value))) {
      llvm::for_each(edges->second, visit);
    } else if (auto result = dyn_cast<OpResult>(value)) {
      for (Value source : sources(result))
        visit(source);
    } else if (parent != scope) {
      // The argument of a region that nothing is known of.
      SmallVector<Value> reachable;
      collectReachable(parent, reachable);
      llvm::for_each(reachable, visit);
    } else {
      outside.insert(value); // an argument of the function `scope`
    }
  }
  llvm::append_range(found, outside);
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

Aliases::Pair Aliases::ordered(Value a, Value b) {
  return a.getAsOpaquePointer() < b.getAsOpaquePointer() ? Pair(a, b)
                                                         : Pair(b, a);
}

bool Aliases::share(Value a, Value b) {
  return a == b || shared.contains(ordered(a, b));
}

/// All pairs of a wide group cost too much: its members share.
static constexpr unsigned widestAliasGroup = 40;

/// Two arguments of a block or results of an operation, as far as is known yet.
bool Aliases::groupMayShare(Value a, Value b) {
  auto left = predecessors.find(a), right = predecessors.find(b);
  if (left != predecessors.end() && right != predecessors.end())
    return llvm::any_of(llvm::zip_equal(left->second, right->second),
                        [&](auto pair) {
                          return mayShare(std::get<0>(pair), std::get<1>(pair));
                        });
  auto argument = dyn_cast<BlockArgument>(a);
  if (argument && isa<func::FuncOp>(a.getParentBlock()->getParentOp()))
    return argumentsMayShare(argument, cast<BlockArgument>(b));
  SmallVector<Pair> ignored;
  return expand(a, b, ignored);
}

/// Arguments of a function may be told apart only if all its calls are known.
bool Aliases::argumentsMayShare(BlockArgument a, BlockArgument b) {
  auto function = cast<func::FuncOp>(a.getParentBlock()->getParentOp());
  if (!functions.lookup(function)->isInternal)
    return true;
  return llvm::any_of(calls[function], [&](Operation *call) {
    return mayShare(call->getOperand(a.getArgNumber()),
                    call->getOperand(b.getArgNumber()));
  });
}

bool Aliases::refineGroups() {
  bool changedAny = false, changed = true;
  auto relate = [&](Value a, Value b) {
    changed |= shared.insert(ordered(a, b)).second;
  };
  while (changed) {
    changed = false;
    for (ArrayRef<Value> group : groups) {
      for (unsigned i = 0; i < group.size(); ++i) {
        for (unsigned j = 0; j < i; ++j) {
          Value a = group[i], b = group[j];
          if (share(a, b))
            continue;
          if (group.size() > widestAliasGroup || groupMayShare(a, b))
            relate(a, b);
        }
      }
    }
    changedAny |= changed;
  }
  return changedAny;
}

/// How many pairs of values one question may lead to; beyond it the answer is
/// yes. Real programs need a handful.
static constexpr unsigned mostPairs = 2000;

bool Aliases::mayShare(Value a, Value b) {
  SmallVector<Pair> work = {{a, b}};
  llvm::DenseSet<Pair> seen;
  while (!work.empty()) {
    auto [left, right] = work.pop_back_val();
    left = viewSource(left);
    right = viewSource(right);
    if (left == right)
      return true;
    if (!seen.insert(ordered(left, right)).second)
      continue;
    if (seen.size() > mostPairs)
      return true;
    if (place(left) < place(right))
      std::swap(left, right);
    if (expand(left, right, work))
      return true;
  }
  return false;
}

/// One step back from the later of two values: true if they may share, else
/// `work` gets the pairs that decide it. What is allocated later is not what
/// was there before.
bool Aliases::expand(Value later, Value earlier, SmallVectorImpl<Pair> &work) {
  if (auto result = dyn_cast<OpResult>(later))
    return expandResult(result, earlier, work);
  Block *block = later.getParentBlock();
  bool sameBlock =
      isa<BlockArgument>(earlier) && earlier.getParentBlock() == block;
  auto edges = predecessors.find(later);
  bool isKnown = edges != predecessors.end();
  if (sameBlock && (isKnown || isa<func::FuncOp>(block->getParentOp())))
    return share(later, earlier);
  if (!isKnown)
    return true; // of a function, or of a region that nothing is known of
  for (Value value : edges->second)
    work.push_back({value, earlier});
  return false;
}

/// True for results that are not made of operands: memory that is somebody
/// else's.
static bool isForeign(OpResult result) {
  return !isa<CallOpInterface, RegionBranchOpInterface>(result.getOwner());
}

bool Aliases::expandResult(OpResult later, Value earlier,
                           SmallVectorImpl<Pair> &work) {
  Operation *op = later.getOwner();
  if (isAllocated(later) || isAutomatic(later))
    return false;
  if (earlier.getDefiningOp() == op) {
    if (predecessors.contains(later))
      return share(later, earlier);
    if (FunctionInfo *info = functions.lookup(op))
      return info->sharedWith[later.getResultNumber()].test(
          cast<OpResult>(earlier).getResultNumber());
    return isForeign(later);
  }
  ArrayRef<Value> from = sources(later);
  for (Value source : from)
    work.push_back({source, earlier});
  if (!from.empty() || !isForeign(later))
    return false;
  auto result = dyn_cast<OpResult>(earlier);
  return !result || !isAllocated(result);
}

bool Aliases::refineSummary(func::FuncOp function) {
  FunctionInfo *info = functions.lookup(function);
  if (function.isExternal() || !info->returnsOwnership)
    return false;
  bool changed = false;
  auto set = [&changed](llvm::BitVector &bits, unsigned index) {
    changed |= !bits.test(index);
    bits.set(index);
  };
  for (Block &block : function.getBody()) {
    Operation *terminator = block.getTerminator();
    if (!isa<func::ReturnOp>(terminator))
      continue;
    for (auto [index, value] : llvm::enumerate(terminator->getOperands())) {
      if (!isMemRef(value))
        continue;
      SmallVector<Value> found;
      traverse({value}, function, found);
      for (Value source : found)
        if (auto argument = dyn_cast<BlockArgument>(source))
          set(info->argumentsOf[index], argument.getArgNumber());
      for (unsigned other = 0; other < index; ++other) {
        Value before = terminator->getOperand(other);
        if (!isMemRef(before) || !mayShare(value, before))
          continue;
        set(info->sharedWith[index], other);
        set(info->sharedWith[other], index);
      }
    }
  }
  return changed;
}
