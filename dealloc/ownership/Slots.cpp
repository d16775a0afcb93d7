//===- Slots.cpp - Arguments and results that carry ownership -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Slots.h"

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ownership/internal/Preconditions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace onnxfold::deallocation;

static bool isUnusedOwnership(Value value) {
  return isa<OwnershipType>(value.getType()) && value.use_empty();
}

bool onnxfold::deallocation::isForwarded(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (op->getNumSuccessors() != 0)
    return isa<BranchOpInterface>(op);
  return passingOf(op) != Passing::None ||
         (op->hasTrait<OpTrait::IsTerminator>() &&
          passingOf(op->getParentOp()) != Passing::None);
}

/// Properties of `op` for `more` operands more: the initial values are the last
/// segment of an affine.for.
static Attribute resizedProperties(Operation *op, int more) {
  Attribute properties = op->getPropertiesAsAttribute();
  if (!isa<affine::AffineForOp>(op))
    return properties;
  NamedAttrList list(cast<DictionaryAttr>(properties));
  auto segments = cast<DenseI32ArrayAttr>(list.get("operandSegmentSizes"));
  SmallVector<int32_t> sizes(segments.asArrayRef());
  sizes.back() += more;
  list.set("operandSegmentSizes",
           DenseI32ArrayAttr::get(op->getContext(), sizes));
  return list.getDictionary(op->getContext());
}

Operation *onnxfold::deallocation::makeAgain(OpBuilder &builder, Operation *op,
                                             ValueRange operands,
                                             TypeRange results) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(results);
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr =
      resizedProperties(op, int(operands.size()) - int(op->getNumOperands()));
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *again = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), again->getRegions()))
    to.takeBody(from);
  return again;
}

/// Makes `op` again without the operands and results that are set.
static void dropOperandsAndResults(Operation *op,
                                   const llvm::BitVector &operands,
                                   const llvm::BitVector &results) {
  SmallVector<Value> keptOperands, keptResults;
  for (OpOperand &operand : op->getOpOperands())
    if (!operands.test(operand.getOperandNumber()))
      keptOperands.push_back(operand.get());
  for (OpResult result : op->getResults())
    if (!results.test(result.getResultNumber()))
      keptResults.push_back(result);
  OpBuilder builder(op);
  Operation *again =
      makeAgain(builder, op, keptOperands, ValueRange(keptResults).getTypes());
  for (auto [from, to] : llvm::zip_equal(keptResults, again->getResults()))
    from.replaceAllUsesWith(to);
  op->erase();
}

/// Erases operands of all terminators of a region that leave it.
static void eraseYielded(Region &region, const llvm::BitVector &slots,
                         unsigned offset = 0) {
  llvm::BitVector operands(offset);
  for (unsigned i = 0; i < slots.size(); ++i) {
    operands.resize(operands.size() + 1);
    if (slots.test(i))
      operands.set(operands.size() - 1);
  }
  for (Block &block : region)
    if (block.getTerminator()->getNumSuccessors() == 0)
      block.getTerminator()->eraseOperands(operands);
}

/// The bits of `slots`, moved up.
static llvm::BitVector shifted(const llvm::BitVector &slots, unsigned offset) {
  llvm::BitVector moved(slots.size() + offset);
  for (unsigned slot : slots.set_bits())
    moved.set(slot + offset);
  return moved;
}

static bool shrinkFor(Operation *op) {
  Block &body = op->getRegion(0).front();
  unsigned count = op->getNumResults();
  unsigned firstArgument = body.getNumArguments() - count;
  llvm::BitVector slots(count);
  for (unsigned i = 0; i < count; ++i)
    if (isUnusedOwnership(op->getResult(i)) &&
        isUnusedOwnership(body.getArgument(firstArgument + i)))
      slots.set(i);
  if (slots.none())
    return false;
  eraseYielded(op->getRegion(0), slots);
  body.eraseArguments(shifted(slots, firstArgument));
  dropOperandsAndResults(op, shifted(slots, op->getNumOperands() - count),
                         slots);
  return true;
}

static bool shrinkWhile(scf::WhileOp op) {
  Block &before = op.getBefore().front(), &after = op.getAfter().front();
  llvm::BitVector initial(before.getNumArguments());
  llvm::BitVector results(after.getNumArguments());
  for (BlockArgument argument : before.getArguments())
    if (isUnusedOwnership(argument))
      initial.set(argument.getArgNumber());
  for (BlockArgument argument : after.getArguments())
    if (isUnusedOwnership(argument) &&
        isUnusedOwnership(op.getResult(argument.getArgNumber())))
      results.set(argument.getArgNumber());
  if (initial.none() && results.none())
    return false;
  eraseYielded(op.getAfter(), initial);
  before.eraseArguments(initial);
  eraseYielded(op.getBefore(), results, /*offset=*/1); // the condition
  after.eraseArguments(results);
  dropOperandsAndResults(op, initial, results);
  return true;
}

/// Operations whose regions only yield results.
static bool shrinkBranch(Operation *op) {
  llvm::BitVector slots(op->getNumResults());
  for (OpResult result : op->getResults())
    if (isUnusedOwnership(result))
      slots.set(result.getResultNumber());
  if (slots.none())
    return false;
  for (Region &region : op->getRegions())
    eraseYielded(region, slots);
  dropOperandsAndResults(op, llvm::BitVector(op->getNumOperands()), slots);
  return true;
}

static bool shrinkBlock(Block *block) {
  llvm::BitVector slots(block->getNumArguments());
  for (BlockArgument argument : block->getArguments())
    if (isUnusedOwnership(argument))
      slots.set(argument.getArgNumber());
  if (slots.none())
    return false;
  for (auto pred = block->pred_begin(); pred != block->pred_end(); ++pred) {
    auto branch = cast<BranchOpInterface>((*pred)->getTerminator());
    for (unsigned i = slots.size(); i-- > 0;)
      if (slots.test(i))
        branch.getSuccessorOperands(pred.getSuccessorIndex()).erase(i);
  }
  block->eraseArguments(slots);
  return true;
}

bool onnxfold::deallocation::removeUnusedSlots(Operation *function) {
  SmallVector<Operation *> operations;
  SmallVector<Block *> blocks;
  function->walk([&](Operation *op) {
    if (passingOf(op) != Passing::None)
      operations.push_back(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.isEntryBlock())
          blocks.push_back(&block);
  });
  bool changed = false;
  for (Block *block : blocks)
    changed |= shrinkBlock(block);
  for (Operation *op : operations) {
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      changed |= shrinkWhile(loop);
    else if (passingOf(op) == Passing::Operands)
      changed |= shrinkFor(op);
    else
      changed |= shrinkBranch(op);
  }
  return changed;
}
