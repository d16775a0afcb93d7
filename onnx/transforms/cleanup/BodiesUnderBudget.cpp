//===- BodiesUnderBudget.cpp - Large operations with bodies ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/BodiesUnderBudget.h"
#include "onnxfold/onnx/transforms/cleanup/UnusedNodes.h"
#include "onnxfold/onnx/transforms/functions/DraftSettling.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool BodiesUnderBudget::visitAny(Operation *op) {
  if (op->getNumRegions() != 0 && Operator::from(op)) // no function
    seen.push_back(op);
  return false;
}

/// The operation would be erased with its readers, if there were no budget.
bool BodiesUnderBudget::losesReaders(Operation *op,
                                     const FoldPlan &draft) const {
  return !op->use_empty() && session.mayBeErased(op) &&
         isUnneeded(op, session, calls.pure()) &&
         llvm::all_of(op->getUsers(), [&](Operation *reader) {
           return outermostErased(reader, session.evaluation(), draft);
         });
}

bool BodiesUnderBudget::finishLast() {
  if (!session.growth.limit || seen.empty())
    return false;
  std::unique_ptr<FoldPlan> draft = session.draftPlan();
  if (!draft->isLimited())
    return false;
  DraftSettling settling(session, lifts, *draft);
  bool again = false;
  for (Operation *op : seen) {
    if (session.isReplaced(op) || draft->action(op) != FoldPlan::Action::Kept)
      continue;
    if (session.evaluation().isFoldable(op)) {
      again |= branches && Operator::from(op).is("If") &&
               branches->inlineNextTime(op);
    } else if (losesReaders(op, *draft)) {
      again = true;
      for (Operation *reader : op->getUsers())
        settling.settle(reader);
      session.markReplaced(op, unusedNode, /*isUnread=*/true);
    }
  }
  return again;
}
