//===- Materialize.cpp - Carries out a plan -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Materialize.h"

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ir/internal/Views.h"
#include "onnxfold/dealloc/ownership/internal/Preconditions.h"
#include "onnxfold/dealloc/ownership/internal/Slots.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

static unsigned countMemRefs(ValueRange values) {
  return llvm::count_if(values, isMemRef);
}

/// One more result of type ownership for each memref.
static void extendResults(func::FuncOp function) {
  unsigned numResults = function.getNumResults();
  auto ownership = OwnershipType::get(function.getContext());
  unsigned memrefs = llvm::count_if(function.getResultTypes(), [](Type type) {
    return isa<BaseMemRefType>(type);
  });
  if (memrefs == 0)
    return;
  (void)function.insertResults(SmallVector<unsigned>(memrefs, numResults),
                               SmallVector<Type>(memrefs, ownership),
                               SmallVector<DictionaryAttr>(memrefs));
  function->setAttr(ownershipResultsAttr, UnitAttr::get(function.getContext()));
}

namespace {

class Materializer {
public:
  Materializer(func::FuncOp function, Functions &functions, Plan &plan)
      : function(function), functions(functions), plan(plan),
        builder(function.getContext()), owned(plan.owners.size()) {}

  void run();

private:
  void doRegion(Region &region, bool ownsArguments);
  void addArguments(Block &block);
  void doOperation(Operation *op);
  void doTerminator(Operation *op);
  void doReturn(Operation *op, ArrayRef<Value> owners);
  void doBranch(Operation *op);
  Operation *doRegionOperation(Operation *op);
  Operation *doCall(Operation *op);
  Operation *rebuild(Operation *op, ValueRange operands, unsigned newResults);
  void recordResults(Operation *op, Operation *rebuilt);
  SmallVector<Value> handOver(const HandOver &plan);
  void free(ArrayRef<OwnerId> owners);
  Value cloneUnlessOwned(Location loc, Value memref, Value owner);
  Value current(Value value) const {
    auto found = replaced.find(value);
    return found == replaced.end() ? value : found->second;
  }
  Type ownership() { return OwnershipType::get(builder.getContext()); }

  func::FuncOp function;
  Functions &functions;
  Plan &plan;
  OpBuilder builder;
  SmallVector<Value> owned;        // by owner
  DenseMap<Value, Value> replaced; // results of operations made anew
  SmallVector<Operation *> toErase;
};

void Materializer::run() {
  FunctionInfo &info = *functions.lookup(function);
  for (unsigned argument : info.ownedArguments.set_bits()) {
    unsigned end = function.getNumArguments();
    Value memref = function.getArgument(argument);
    (void)function.insertArgument(end, ownership(), {}, memref.getLoc());
    owned[plan.ownerOf.lookup(memref)] = function.getArgument(end);
  }
  doRegion(function.getBody(), /*ownsArguments=*/false);
  for (Operation *op : llvm::reverse(toErase))
    op->erase();
  if (info.returnsOwnership)
    extendResults(function);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// The retains of a hand-over, at the insertion point. Returns the ownership
/// values that are passed.
SmallVector<Value> Materializer::handOver(const HandOver &plan) {
  Location loc = function.getLoc();
  if (Block *block = builder.getInsertionBlock();
      block && builder.getInsertionPoint() != block->end())
    loc = builder.getInsertionPoint()->getLoc();
  for (const RetainPlan &retain : plan.retains) {
    SmallVector<Value> memrefs, owners;
    for (Value memref : retain.retained)
      memrefs.push_back(current(memref));
    for (OwnerId owner : retain.owners)
      owners.push_back(owned[owner]);
    auto op = RetainOp::create(builder, loc, memrefs, owners);
    for (auto [owner, value] :
         llvm::zip_equal(retain.results, op.getOwnerships()))
      owned[owner] = value;
  }
  SmallVector<Value> passed;
  Value null;
  for (OwnerId owner : plan.passed) {
    if (owner == nobody && !null)
      null = NullOp::create(builder, loc);
    passed.push_back(owner == nobody ? null : owned[owner]);
  }
  return passed;
}

void Materializer::free(ArrayRef<OwnerId> owners) {
  for (OwnerId owner : owners)
    RetainOp::create(builder, owned[owner].getLoc(), ValueRange(),
                     owned[owner]);
}

/// `op` again, with further operands, and with further results of type
/// ownership. Its regions move to the new operation.
Operation *Materializer::rebuild(Operation *op, ValueRange operands,
                                 unsigned newResults) {
  SmallVector<Value> allOperands(op->getOperands());
  llvm::append_range(allOperands, operands);
  SmallVector<Type> types(op->getResultTypes());
  types.append(newResults, ownership());
  Operation *rebuilt = makeAgain(builder, op, allOperands, types);
  recordResults(op, rebuilt);
  toErase.push_back(op);
  return rebuilt;
}

void Materializer::recordResults(Operation *op, Operation *rebuilt) {
  unsigned next = op->getNumResults();
  bool hasOwners = rebuilt->getNumResults() > next;
  for (OpResult result : op->getResults()) {
    Value value = rebuilt->getResult(result.getResultNumber());
    replaced[result] = value;
    if (hasOwners && isMemRef(result))
      owned[plan.ownerOf.lookup(result)] = rebuilt->getResult(next++);
    result.replaceAllUsesWith(value);
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void Materializer::addArguments(Block &block) {
  SmallVector<BlockArgument> memrefs;
  for (BlockArgument argument : block.getArguments())
    if (isMemRef(argument))
      memrefs.push_back(argument);
  for (BlockArgument memref : memrefs)
    owned[plan.ownerOf.lookup(memref)] =
        block.addArgument(ownership(), memref.getLoc());
}

void Materializer::doRegion(Region &region, bool ownsArguments) {
  if (region.empty())
    return;
  for (Block &block : region)
    if (ownsArguments || !block.isEntryBlock())
      addArguments(block);
  // Owners are defined before they are used in this order.
  SmallVector<Block *> blocks;
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  llvm::append_range(blocks, order);
  for (Block *block : blocks) {
    SmallVector<Operation *> operations;
    for (Operation &op : *block)
      operations.push_back(&op);
    builder.setInsertionPointToStart(block);
    free(plan.freedAtStart.lookup(block));
    for (Operation *op : operations)
      doOperation(op);
  }
}

void Materializer::doOperation(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return doTerminator(op);
  Operation *last = op;
  if (functions.lookup(op)) {
    last = doCall(op);
  } else if (passingOf(op) != Passing::None) {
    last = doRegionOperation(op);
  } else {
    for (Region &region : op->getRegions())
      doRegion(region, /*ownsArguments=*/false);
  }
  builder.setInsertionPointAfter(last);
  for (OpResult result : op->getResults()) {
    auto found = plan.ownerOf.find(result);
    if (found != plan.ownerOf.end() && !owned[found->second])
      owned[found->second] =
          OwnOp::create(builder, op->getLoc(), current(result));
  }
  auto planned = plan.operations.find(op);
  if (planned != plan.operations.end())
    free(planned->second.freedAfter);
}

Operation *Materializer::doRegionOperation(Operation *op) {
  builder.setInsertionPoint(op);
  SmallVector<Value> passed = handOver(plan.operations[op].handOver);
  bool ownsArguments = passingOf(op) == Passing::Operands;
  for (Region &region : op->getRegions())
    doRegion(region, ownsArguments);
  unsigned newResults = countMemRefs(op->getResults());
  if (passed.empty() && newResults == 0)
    return op;
  builder.setInsertionPoint(op);
  return rebuild(op, passed, newResults);
}

Operation *Materializer::doCall(Operation *op) {
  FunctionInfo *info = functions.lookup(op);
  builder.setInsertionPoint(op);
  SmallVector<Value> passed = handOver(plan.operations[op].handOver);
  unsigned newResults =
      info->returnsOwnership ? countMemRefs(op->getResults()) : 0;
  if (passed.empty() && newResults == 0)
    return op;
  return rebuild(op, passed, newResults);
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

void Materializer::doTerminator(Operation *op) {
  if (op->getNumSuccessors() != 0)
    return doBranch(op);
  for (Region &region : op->getRegions()) // scf.reduce
    doRegion(region, /*ownsArguments=*/false);
  builder.setInsertionPoint(op);
  auto planned = plan.operations.find(op);
  SmallVector<Value> passed;
  if (planned != plan.operations.end())
    passed = handOver(planned->second.handOver);
  if (isa<func::FuncOp>(op->getParentOp()))
    doReturn(op, passed);
  else
    op->insertOperands(op->getNumOperands(), passed);
}

void Materializer::doReturn(Operation *op, ArrayRef<Value> owners) {
  if (!isa<func::ReturnOp>(op))
    return;
  if (functions.lookup(function)->returnsOwnership) {
    op->insertOperands(op->getNumOperands(), owners);
    return;
  }
  unsigned next = 0;
  for (OpOperand &operand : op->getOpOperands())
    if (isMemRef(operand.get()))
      operand.set(
          cloneUnlessOwned(op->getLoc(), operand.get(), owners[next++]));
}

/// Callers of this function expect new memory.
Value Materializer::cloneUnlessOwned(Location loc, Value memref, Value owner) {
  auto clone = [&](OpBuilder &at) -> Value {
    return bufferization::CloneOp::create(at, loc, memref.getType(), memref);
  };
  if (owner.getDefiningOp<NullOp>())
    return clone(builder);
  if (owner.getDefiningOp<OwnOp>())
    return memref;
  Value address = GetBufferOp::create(builder, loc, owner);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isNull = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       address, zero);
  auto branch = scf::IfOp::create(
      builder, loc, isNull,
      [&](OpBuilder &at, Location) {
        scf::YieldOp::create(at, loc, clone(at));
      },
      [&](OpBuilder &at, Location) { scf::YieldOp::create(at, loc, memref); });
  return branch.getResult(0);
}

/// A branch passes owners to its successors. What must be done on one of
/// several edges is done in a block of its own on the edge.
void Materializer::doBranch(Operation *op) {
  auto branch = dyn_cast<BranchOpInterface>(op);
  for (unsigned i = 0; i < op->getNumSuccessors(); ++i) {
    HandOver edge = plan.edges.lookup({op, i});
    if (edge.retains.empty() && edge.passed.empty())
      continue;
    if (op->getNumSuccessors() == 1 || edge.retains.empty()) {
      builder.setInsertionPoint(op);
      SmallVector<Value> passed = handOver(edge);
      if (!passed.empty())
        branch.getSuccessorOperands(i).append(passed);
      continue;
    }
    Block *successor = op->getSuccessor(i);
    if (edge.passed.empty() && successor->hasOneUse()) {
      builder.setInsertionPointToStart(successor);
      handOver(edge);
      continue;
    }
    Block *between = builder.createBlock(successor);
    SmallVector<Value> operands;
    if (branch) {
      SuccessorOperands forwarded = branch.getSuccessorOperands(i);
      llvm::append_range(operands, forwarded.getForwardedOperands());
      forwarded.getMutableForwardedOperands().clear();
    }
    op->setSuccessor(between, i);
    builder.setInsertionPointToEnd(between);
    llvm::append_range(operands, handOver(edge));
    cf::BranchOp::create(builder, op->getLoc(), successor, operands);
  }
}

} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void onnxfold::deallocation::materializeDeclaration(func::FuncOp function,
                                                    Functions &functions) {
  if (functions.lookup(function)->returnsOwnership)
    extendResults(function);
}

void onnxfold::deallocation::materialize(func::FuncOp function,
                                         Functions &functions, Plan &plan) {
  Materializer(function, functions, plan).run();
}
