//===- UnusedNodes.cpp - Erases unused nodes ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/UnusedNodes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Values that a user has read, here or in a body, go with their last user in
/// any case: they must not keep what is around them.
bool onnxfold::isUnneeded(Operation *op, const RewriteSession &session,
                          PureCalls &calls) {
  const Evaluation &evaluation = session.evaluation();
  bool wasRead = op->getNumRegions() != 0 && !op->use_empty();
  auto check = [&](Operation *inner) {
    if (session.isReplaced(inner))
      return WalkResult::skip(); // what is in its bodies is erased with it
    if (inner->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    if (!evaluation.has(inner) || !evaluation.mayChange(inner) ||
        mayFail(evaluation.reason(inner)))
      return WalkResult::interrupt();
    Operator node = Operator::from(inner);
    bool hasOnlyBodies = node && !node.isCustom() && node.numGraphs() != 0;
    const FoldingInterface *dialect = FoldingInterface::of(inner);
    bool isPure =
        hasOnlyBodies || isMemoryEffectFree(inner) || calls.contains(inner) ||
        ((wasRead || (inner != op && !inner->use_empty())) && dialect &&
         dialect->isRemovable(inner, evaluation.functions())) ||
        (node && !node.hasReferences() &&
         CleanUpContext(node, session).dropsNothing());
    return isPure ? WalkResult::advance() : WalkResult::interrupt();
  };
  return !op->walk<WalkOrder::PreOrder>(check).wasInterrupted();
}

/// isUnneeded() of a call.
bool UnusedNodes::isUnneededCall(Operation *op) const {
  const Evaluation &evaluation = session.evaluation();
  return evaluation.has(op) && calls.pure().contains(op) &&
         evaluation.mayChange(op) && !mayFail(evaluation.reason(op));
}

/// The plan may erase it with its last user, whatever that is.
bool UnusedNodes::isErasedWithUsers(Operation *op) const {
  const Evaluation &evaluation = session.evaluation();
  const FoldingInterface *dialect = FoldingInterface::of(op);
  return dialect && evaluation.has(op) && !op->use_empty() &&
         op->getNumRegions() == 0 &&
         dialect->isRemovable(op, evaluation.functions()) &&
         evaluation.mayChange(op);
}

/// All its users are erased, or inside of erased operations.
static bool isReadByNoneBut(Operation *op,
                            llvm::function_ref<bool(Operation *)> isErased) {
  return llvm::all_of(op->getUsers(), [&](Operation *reader) {
    for (; reader != op->getParentOp(); reader = reader->getParentOp())
      if (isErased(reader))
        return true;
    return false;
  });
}

/// Nodes that the model never read: what only they read is unused then. (What
/// only replaced nodes read the plan erases.)
bool UnusedNodes::finish() {
  const Evaluation &evaluation = session.evaluation();
  size_t first = session.replaced().size();
  llvm::DenseSet<Operation *> unused(session.replaced().begin(),
                                     session.replaced().end());
  auto isUnused = [&](Operation *op) { return unused.contains(op); };
  auto isReplaced = [&](Operation *op) { return session.isReplaced(op); };
  evaluation.root()->walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        if (isUnused(op) || op->getNumResults() == 0 ||
            !isReadByNoneBut(op, isUnused))
          return;
        // It would be erased without a line in the report, and reads nothing
        // until then.
        bool folds = evaluation.has(op) && evaluation.isFoldable(op);
        bool holds = !session.keepsConstants() && isa<OnnxConstantOp>(op);
        // The plan erases what only unused nodes read, and what only replaced
        // nodes read unless a budget keeps it.
        bool isUnread = ((holds || folds) && isReadByNoneBut(op, isReplaced)) ||
                        isUnneededCall(op) ||
                        (evaluation.has(op) && session.mayBeErased(op) &&
                         isUnneeded(op, session, calls.pure()));
        if (isUnread || folds || isErasedWithUsers(op))
          unused.insert(op);
        if (isUnread)
          session.markReplaced(op, unusedNode, /*isUnread=*/true);
      });
  session.reverseReplaced(first);
  return false;
}
