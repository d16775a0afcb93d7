//===- ControlFlowTransforms.cpp - If and Loop as transforms --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/controlflow/ControlFlowTransforms.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"

using namespace onnxfold;
using namespace mlir;

/// Operations of a branch are looked at again: they may equal one
/// outside.
bool InlineBranches::inlineBranch(Operation *op) {
  // The branches give these under their names no more.
  SmallVector<Value> given;
  for (Region &branch : op->getRegions())
    llvm::append_range(given, branch.front().getTerminator()->getOperands());
  auto moved = branches.run(Operator::from(op), session.evaluation(),
                            session.nodes(), session.changes(), session.moved(),
                            [&] { return session.mayInline(op); });
  if (!moved)
    return false;
  session.markReplaced(op, constantBranch);
  session.releaseNames(given);
  session.noteMoreKnown(branches.hasRenamed());
  session.visitNew(*moved);
  return true;
}

bool InlineBranches::visitAny(Operation *op) {
  return leftOut.contains(op) && !session.isReplaced(op) && inlineBranch(op);
}

bool InlineBranches::visit(const CleanUpContext &cx) {
  return inlineBranch(cx.op.getOperation());
}

bool UnrollLoops::visit(const CleanUpContext &cx) {
  auto made =
      loops.run(cx.op, session.evaluation(), session.nodes(),
                [&](Operation *inner) { return session.isReplaced(inner); });
  if (!made)
    return false;
  session.markReplaced(cx.op.getOperation(), loops.reason());
  session.visitNew(*made, /*areCopies=*/true);
  return true;
}

bool UnrollLoops::finish() {
  return loops.fitsNow(session.evaluation(),
                       [&](Operation *op) { return session.isReplaced(op); });
}
