//===- EqualNodes.cpp - Two equal nodes are one ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/EqualNodes.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

void EqualNodes::begin() {
  known = std::make_unique<Subexpressions>(
      session.evaluation(),
      Subexpressions::Host{
          [this](Operation *op) { return session.isReplaced(op); },
          [this](Operation *op) { return calls.pure().contains(op); }});
}

/// An Identity in its place would cost a runtime as much.
static bool onlyCopies(Operator op) {
  return op.isAny({"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze"});
}

/// Both are graph outputs, which have names of their own: the second becomes a
/// copy of the first. Not if it is one anyway; what else reads it reads the
/// first.
bool EqualNodes::copyOutput(Operation *op, Operation *equal) {
  Value result = op->getResult(0), first = equal->getResult(0);
  Operator node = Operator::from(op);
  NodeBuilder &nodes = session.nodes();
  nodes.begin(op);
  if (onlyCopies(node) || equal->getBlock() != op->getBlock() ||
      !llvm::is_contained(result.getUsers(), op->getBlock()->getTerminator()) ||
      !llvm::all_of(op->getResults().drop_front(),
                    [](Value other) { return other.use_empty(); }) ||
      session.evaluation().state(first).type == DataType::Undefined ||
      !nodes.knowsOpset() || !nodes.sinceOf("Identity"))
    return false;
  Value copy = nodes.create("Identity", {first});
  if (!session.takeOver(op, copy, commonSubexpression))
    return false;
  for (OpOperand &use : llvm::make_early_inc_range(copy.getUses()))
    if (session.mayBeRewired(use, first)) {
      session.noteRewired(use.getOwner());
      use.set(first);
    }
  return true;
}

/// `op` is kept for the graph outputs that it gives. What else reads it reads the
/// first.
void EqualNodes::redirectReaders(Operation *op, Operation *equal) {
  Operation *end = op->getBlock()->getTerminator();
  if (!llvm::is_contained(op->getUsers(), end))
    return;
  for (auto [result, first] : llvm::zip(op->getResults(), equal->getResults()))
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses()))
      if (use.getOwner() != end &&
          session.mayEdit(use.getOwner(), use.getOperandNumber(), first)) {
        session.noteRewired(use.getOwner());
        use.set(first);
      }
}

/// Readers of `op` read an equal one before it, if there is one.
bool EqualNodes::merge(Operation *op) {
  known->enter(op->getBlock());
  if (isCompactWeight(op, session.evaluation()) || !known->isComparable(op))
    return false;
  Operation *equal = known->findOrAdd(op, repeated.hashOf(op));
  if (!equal)
    return false;
  bool isRead = !equal->use_empty();
  if (!session.replace(op, equal->getResults(), commonSubexpression)) {
    if (copyOutput(op, equal))
      return true;
    redirectReaders(op, equal);
    return false;
  }
  session.noteMerged(equal, op);
  session.noteMoreKnown(!isRead); // no pattern looked at what nobody read
  return true;
}

/// Calls of which everything is known are merged here, as they are custom
/// operators. (One may fail: the equal one fails too.)
bool EqualNodes::visitAny(Operation *op) {
  if (!calls.pure().contains(op))
    return false;
  const Evaluation &evaluation = session.evaluation();
  if (!session.isReplaced(op) && !evaluation.isFoldable(op) &&
      evaluation.mayChange(op))
    merge(op);
  return true;
}

bool EqualNodes::finish() {
  known.reset(); // a plan, and what is written, need the memory
  session.noteMoreKnown(calls.pure().hasGrown());
  return false;
}
