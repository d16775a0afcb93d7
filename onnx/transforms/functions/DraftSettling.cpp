//===- DraftSettling.cpp - Applies a draft of the plan --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/DraftSettling.h"
#include "onnxfold/onnx/transforms/functions/internal/ConstantSources.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

SmallVector<StringRef>
onnxfold::constantSourcesOf(Operation *op, const Evaluation &evaluation,
                            const InterproceduralConstants &lifts) {
  return ConstantSources(evaluation, lifts.lifted()).of(op);
}

Operation *onnxfold::outermostErased(Operation *op,
                                     const Evaluation &evaluation,
                                     const FoldPlan &draft) {
  Operation *result = nullptr;
  for (; op; op = op->getParentOp())
    if (evaluation.has(op) && draft.action(op) != FoldPlan::Action::Kept)
      result = op;
  return result;
}

void DraftSettling::settle(Operation *op) {
  Evaluation &evaluation = session.evaluation();
  op = outermostErased(op, evaluation, draft);
  if (!op || session.isReplaced(op))
    return;
  bool folds = draft.action(op) == FoldPlan::Action::Folded;
  session.markReplaced(op, folds ? pattern : StringRef(unusedNode),
                       /*isUnread=*/!folds);
  OpBuilder builder(op);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (result.use_empty())
      continue;
    if (!folds) {
      for (Operation *reader : result.getUsers())
        settle(reader);
      continue;
    }
    session.growth.settled += draft.bytesOf(result);
    Value constant = FoldingInterface::of(op)->materialize(
        builder, op, i, evaluation.state(result).value.narrowed());
    evaluation.add(constant.getDefiningOp());
    lifts.note(constant.getDefiningOp(),
               {op, constantSourcesOf(op, evaluation, lifts)});
    result.replaceAllUsesWith(constant);
  }
}

void DraftSettling::settleCalls(const CallTypes &types) {
  std::vector<Operation *> called;
  session.evaluation().root()->walk([&](Operation *op) {
    if (types.isCall(op))
      called.push_back(op);
  });
  for (Operation *op : called)
    settle(op);
}

/// Adds the bytes that settle() adds for `op`, or for readers that it loses.
void DraftSettling::addBytes(Operation *op, int64_t &bytes,
                             llvm::SmallPtrSetImpl<Operation *> &seen) const {
  op = outermostErased(op, session.evaluation(), draft);
  if (!op || session.isReplaced(op) || !seen.insert(op).second)
    return;
  bool folds = draft.action(op) == FoldPlan::Action::Folded;
  for (Value result : op->getResults())
    if (!folds)
      for (Operation *reader : result.getUsers())
        addBytes(reader, bytes, seen);
    else if (!result.use_empty())
      bytes += draft.bytesOf(result);
}

int64_t DraftSettling::bytesOfCalls(const CallTypes &types) const {
  int64_t bytes = 0;
  llvm::SmallPtrSet<Operation *, 8> seen;
  session.evaluation().root()->walk([&](Operation *op) {
    if (types.isCall(op))
      addBytes(op, bytes, seen);
  });
  return bytes;
}
