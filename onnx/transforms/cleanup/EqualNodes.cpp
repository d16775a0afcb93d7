//===- EqualNodes.cpp - Two equal nodes are one ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/EqualNodes.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"

using namespace onnxfold;
using namespace mlir;

void EqualNodes::begin() {
  known = std::make_unique<Subexpressions>(
      session.evaluation(),
      Subexpressions::Host{
          [this](Operation *op) { return session.isReplaced(op); },
          [this](Operation *op) { return calls.pure().contains(op); }});
}

/// What reads `op` reads an equal one before it, if there is one.
bool EqualNodes::merge(Operation *op) {
  known->enter(op->getBlock());
  if (isCompactWeight(op, session.evaluation()) || !known->isComparable(op))
    return false;
  Operation *equal = known->findOrAdd(op, repeated.hashOf(op));
  if (!equal)
    return false;
  bool isRead = !equal->use_empty();
  if (!session.replace(op, equal->getResults(), commonSubexpression))
    return false;
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
