//===- Planner.cpp - Who owns what, and until when ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Planner.h"

#include "onnxfold/dealloc/ir/internal/Views.h"
#include "onnxfold/dealloc/ownership/internal/Preconditions.h"
#include "onnxfold/dealloc/ownership/internal/Sweep.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

static SmallVector<Value> memrefsOf(ValueRange values) {
  SmallVector<Value> memrefs;
  llvm::copy_if(values, std::back_inserter(memrefs), isMemRef);
  return memrefs;
}

SmallVector<Value> onnxfold::deallocation::ownedSlots(Operation *op,
                                                      Functions &functions) {
  if (FunctionInfo *info = functions.lookup(op)) {
    SmallVector<Value> slots;
    for (unsigned argument : info->ownedArguments.set_bits())
      slots.push_back(op->getOperand(argument));
    return slots;
  }
  bool isEnd = op->hasTrait<OpTrait::IsTerminator>() &&
               (isa<func::FuncOp>(op->getParentOp()) ||
                passingOf(op->getParentOp()) != Passing::None);
  // The bounds of loops and conditions are no memrefs.
  if (isEnd || passingOf(op) == Passing::Operands)
    return memrefsOf(op->getOperands());
  return {};
}

SmallVector<Value> onnxfold::deallocation::ownedSlots(Operation *terminator,
                                                      unsigned successor) {
  auto branch = dyn_cast<BranchOpInterface>(terminator);
  if (!branch)
    return {};
  return memrefsOf(
      branch.getSuccessorOperands(successor).getForwardedOperands());
}

LogicalResult Planner::run(func::FuncOp function) {
  collectReleases(function);
  FunctionInfo *info = functions.lookup(function);
  std::vector<Birth> births;
  if (info->ownedArguments.any())
    addArguments(function.front(), &info->ownedArguments, births);
  InheritedList inherited;
  for (Birth &birth : births)
    inherited.push_back(
        {birth.owner, llvm::to_vector(ArrayRef<Value>(birth.members))});
  if (failed(
          planRegion(function.getBody(), /*ownsArguments=*/false, inherited)))
    return failure();
  for (auto &[memref, operations] : releases)
    for (Operation *release : operations)
      if (!handledReleases.contains(release))
        return release->emitOpError("frees a memref that is not owned here, "
                                    "or that was freed before");
  return success();
}

void Planner::collectReleases(func::FuncOp function) {
  releases.clear();
  function.walk([&](MemoryEffectOpInterface op) {
    for (Value operand : op->getOperands())
      if (isMemRef(operand) &&
          op.getEffectOnValue<MemoryEffects::Free>(operand))
        releases[viewSource(operand)].push_back(op);
  });
}

//===----------------------------------------------------------------------===//
// Births
//===----------------------------------------------------------------------===//

/// Owners for the memrefs among the arguments of a block; only those in `owned`
/// if it is given.
void Planner::addArguments(Block &block, const llvm::BitVector *owned,
                           std::vector<Birth> &births) {
  SmallVector<Value> memrefs = memrefsOf(block.getArguments());
  for (Value memref : memrefs) {
    if (owned && !owned->test(cast<BlockArgument>(memref).getArgNumber()))
      continue;
    Birth birth;
    birth.owner = plan.addOwner(memref, /*isAllocation=*/false);
    plan.ownerOf[memref] = birth.owner;
    birth.block = &block;
    birth.members.push_back(memref);
    for (Value other : memrefs)
      if (other != memref && received.mayOwn(memref, other))
        birth.members.push_back(other);
    births.push_back(std::move(birth));
  }
}

/// Owners for what `op` allocates, and for results that come with one.
void Planner::addResults(Operation *op, std::vector<Birth> &births) {
  FunctionInfo *info = functions.lookup(op);
  bool isCall = isa<CallOpInterface>(op);
  bool returnsNew = isCall && !(info && info->returnsOwnership);
  bool returnsOwners = isCall || passingOf(op) != Passing::None;
  for (OpResult result : op->getResults()) {
    if (!isMemRef(result) || !(returnsOwners || isAllocated(result)))
      continue;
    Birth birth;
    birth.owner = plan.addOwner(result, returnsNew || isAllocated(result));
    plan.ownerOf[result] = birth.owner;
    birth.block = op->getBlock();
    birth.after = op;
    birth.members.push_back(result);
    for (OpResult other : op->getResults()) {
      if (other == result || !isMemRef(other))
        continue;
      bool shared = info ? info->sharedWith[result.getResultNumber()].test(
                               other.getResultNumber())
                         : received.mayOwn(result, other);
      if (shared)
        birth.members.push_back(other);
    }
    births.push_back(std::move(birth));
  }
}

void Planner::addBirths(Region &region, bool ownsArguments,
                        std::vector<Birth> &births) {
  for (Block &block : region) {
    if (ownsArguments || !block.isEntryBlock())
      addArguments(block, nullptr, births);
    for (Operation &op : block)
      addResults(&op, births);
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult Planner::planRegion(Region &region, bool ownsArguments,
                                  ArrayRef<Inherited> inherited) {
  if (region.empty())
    return success();
  std::vector<Birth> births;
  for (const Inherited &owner : inherited) {
    Birth birth;
    birth.owner = owner.owner;
    birth.members.assign(owner.members.begin(), owner.members.end());
    birth.block = &region.front();
    births.push_back(std::move(birth));
  }
  addBirths(region, ownsArguments, births);
  for (const Birth &birth : births) {
    Sweep sweep(*this, region, birth);
    if (failed(sweep.run()))
      return failure();
    if (!region.hasOneBlock())
      for (Value member : sweep.getMembers())
        ++plan.ownerCounts[member];
    for (const Ending &ending : sweep.getEndings())
      if (failed(end(birth, ending, sweep.getMembers())))
        return failure();
  }
  return handOverAll(region);
}

/// Marks those of `slots` that are members.
static llvm::BitVector memberBits(ArrayRef<Value> slots,
                                  const Members &members) {
  llvm::BitVector bits(slots.size());
  for (auto [index, slot] : llvm::enumerate(slots))
    if (members.contains(slot))
      bits.set(index);
  return bits;
}

LogicalResult Planner::end(const Birth &birth, const Ending &ending,
                           const Members &members) {
  switch (ending.kind) {
  case Ending::FreeAfter:
    plan.operations[ending.op].freedAfter.push_back(birth.owner);
    break;
  case Ending::FreeAtStart:
    plan.freedAtStart[ending.block].push_back(birth.owner);
    break;
  case Ending::Leave:
    leaving[ending.op].push_back(
        {birth.owner, memberBits(ownedSlots(ending.op, functions), members)});
    break;
  case Ending::LeaveEdge:
    leavingEdges[{ending.op, ending.successor}].push_back(
        {birth.owner,
         memberBits(ownedSlots(ending.op, ending.successor), members)});
    break;
  case Ending::Inherit:
    inheritedBy[ending.op].push_back(
        {birth.owner, llvm::to_vector(members.getArrayRef())});
    break;
  case Ending::Released:
    handledReleases.insert(ending.op);
    break;
  }
  return success();
}

LogicalResult Planner::handOverAll(Region &region) {
  for (Block &block : region) {
    for (Operation &op : block) {
      SmallVector<Value> slots = ownedSlots(&op, functions);
      auto found = leaving.find(&op);
      if (!slots.empty() || found != leaving.end())
        plan.operations[&op].handOver = handOver(
            plan, slots,
            found == leaving.end() ? ArrayRef<Leaving>() : found->second);
      for (unsigned i = 0; i < op.getNumSuccessors(); ++i)
        plan.edges[{&op, i}] =
            handOver(plan, ownedSlots(&op, i), leavingEdges[{&op, i}]);
      if (failed(checkReleasedArguments(&op)) || failed(planNested(&op)))
        return failure();
    }
  }
  return success();
}

/// A loop that frees its argument must get the ownership of it.
LogicalResult Planner::checkReleasedArguments(Operation *loop) {
  if (passingOf(loop) != Passing::Operands)
    return success();
  SmallVector<Value> arguments = memrefsOf(loop->getRegion(0).getArguments());
  ArrayRef<OwnerId> passed = plan.operations[loop].handOver.passed;
  for (auto [argument, owner] : llvm::zip_equal(arguments, passed)) {
    auto found = releases.find(argument);
    if (found != releases.end() && owner == nobody)
      return found->second.front()->emitOpError("frees the argument of '")
             << loop->getName()
             << "', whose initial value is not owned or used afterwards";
  }
  return success();
}

LogicalResult Planner::planNested(Operation *op) {
  Passing passing = passingOf(op);
  InheritedList inherited;
  if (auto found = inheritedBy.find(op); found != inheritedBy.end())
    inherited = found->second;
  for (Region &region : op->getRegions())
    if (failed(planRegion(region, passing == Passing::Operands, inherited)))
      return failure();
  return success();
}
