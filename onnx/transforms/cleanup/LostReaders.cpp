//===- LostReaders.cpp - Results that lose their readers ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/LostReaders.h"
#include "onnxfold/onnx/transforms/functions/DraftSettling.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Replaced, or the plan erases it with its last reader; `withFolded`: or it
/// may fold.
bool LostReaders::isErased(Operation *reader, bool withFolded,
                           unsigned depth) const {
  constexpr unsigned mostDepth = 16;
  const Evaluation &evaluation = session.evaluation();
  if (session.isInReplaced(reader))
    return true;
  if (!evaluation.has(reader) || !evaluation.mayChange(reader))
    return false;
  if (withFolded && evaluation.isFoldable(reader))
    return true;
  const FoldingInterface *dialect = FoldingInterface::of(reader);
  return depth < mostDepth && dialect && !reader->use_empty() &&
         reader->getNumRegions() == 0 &&
         dialect->isRemovable(reader, evaluation.functions()) &&
         llvm::all_of(reader->getUsers(), [&](Operation *next) {
           return isErased(next, withFolded, depth + 1);
         });
}

/// It has readers, and all of them are erased.
bool LostReaders::loses(Value result, bool withFolded) const {
  return !result.use_empty() &&
         llvm::all_of(result.getUsers(), [&](Operation *reader) {
           return isErased(reader, withFolded, 0);
         });
}

/// Some results, but not all: the operation itself is kept.
bool LostReaders::losesSome(Operation *op, bool withFolded) const {
  if (session.isInReplaced(op) || !session.evaluation().has(op) ||
      session.evaluation().isFoldable(op))
    return false;
  bool some = false, all = true;
  for (Value result : op->getResults()) {
    bool isLost = loses(result, withFolded);
    some |= isLost;
    all &= isLost || result.use_empty();
  }
  return some && !all;
}

void LostReaders::eraseReaders(Operation *reader) {
  if (session.isInReplaced(reader))
    return;
  session.markReplaced(reader, unusedNode, /*isUnread=*/true);
  for (Operation *next : reader->getUsers())
    eraseReaders(next);
}

/// A remaining reader is not evaluated with another value in its
/// place.
void LostReaders::detach(Value result) {
  for (Operation *reader : result.getUsers())
    eraseReaders(reader);
  Operation *op = result.getDefiningOp();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operator erased = Operator::createCustom(
      builder, op->getLoc(), {"onnx-fold", "Erased", 1}, {}, result.getType());
  result.replaceAllUsesWith(erased->getResult(0));
  session.markReplaced(erased.getOperation(), unusedNode, /*isUnread=*/true);
}

bool LostReaders::finish() {
  bool again = false;
  for (Operation *op : seen) {
    if (!losesSome(op, /*withFolded=*/false))
      continue;
    for (Value result : op->getResults())
      if (loses(result, /*withFolded=*/false))
        detach(result);
    again = true;
  }
  return again;
}

bool LostReaders::finishLast() {
  std::unique_ptr<FoldPlan> draft; // few models have such a node
  bool again = false;
  for (Operation *op : seen) {
    if (!losesSome(op, /*withFolded=*/true))
      continue;
    if (!draft)
      draft = session.draftPlan();
    auto isErasedNow = [&](Operation *reader) {
      return session.isInReplaced(reader) ||
             outermostErased(reader, session.evaluation(), *draft);
    };
    DraftSettling settling(session, lifts, *draft, unusedNode);
    for (Value result : op->getResults()) {
      if (!loses(result, /*withFolded=*/true) ||
          !llvm::all_of(result.getUsers(), isErasedNow))
        continue;
      for (Operation *reader : llvm::to_vector(result.getUsers()))
        if (!session.isInReplaced(reader)) {
          settling.settle(reader);
          again = true;
        }
    }
  }
  return again;
}
