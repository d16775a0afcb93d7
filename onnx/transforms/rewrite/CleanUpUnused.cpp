//===- CleanUpUnused.cpp - Nodes that nobody reads ------------------------===//
//
// What may go, and what nobody reads when the rest has gone.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/functions/internal/PureCalls.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUp.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// What folds, and what only that reads: from the bottom up.
void CleanUp::noteFolded() {
  evaluation->root()->walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        if (!evaluation->has(op))
          return;
        auto isGoing = [&](Operation *reader) { return isGone(reader); };
        if (evaluation->isFoldable(op) ||
            (mayGo(op) && !op->use_empty() &&
             llvm::all_of(op->getUsers(), isGoing)))
          folded.insert(op);
      });
}

/// A pattern would fire now that did not because of what read a value.
bool CleanUp::haveReadersGone() {
  if (asked.empty())
    return false;
  noteFolded();
  bool changes = llvm::any_of(
      asked, [&](Value value) { return countReaders(value, 2) == 1; });
  asked.clear();
  return changes;
}

/// A node that may be left out; nothing that folds anyway.
bool CleanUp::mayGo(Operation *op) const {
  Operator node = Operator::from(op);
  if (!node || node.isCustom() || node.hasReferences() ||
      reasons.contains(op) || evaluation->isFoldable(op) ||
      mayFail(evaluation->reason(op)))
    return false;
  const FoldingInterface *dialect = FoldingInterface::of(op);
  return dialect && dialect->isRemovable(op, evaluation->functions()) &&
         evaluation->mayChange(op) &&
         !dialect->checkOperands(op); // its reason may be another one
}

/// Nobody would miss what `op` and what is in its bodies do: all of it may go
/// and is deterministic. (The effects of Dropout are those of training.) What
/// was read until now, here or in a body, goes with its last reader in any
/// case: it must not keep what is around it.
bool CleanUp::isUnneeded(Operation *op) const {
  bool wasRead = op->getNumRegions() != 0 && !op->use_empty();
  auto check = [&](Operation *inner) {
    if (reasons.contains(inner))
      return WalkResult::skip(); // what is in its bodies goes with it
    if (inner->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    if (!evaluation->has(inner) || !evaluation->mayChange(inner) ||
        mayFail(evaluation->reason(inner)))
      return WalkResult::interrupt();
    Operator node = Operator::from(inner);
    bool hasOnlyBodies = node && !node.isCustom() && node.numGraphs() != 0;
    const FoldingInterface *dialect = FoldingInterface::of(inner);
    bool isPure =
        hasOnlyBodies || isMemoryEffectFree(inner) ||
        pureCalls->contains(inner) ||
        ((wasRead || (inner != op && !inner->use_empty())) && dialect &&
         dialect->isRemovable(inner, evaluation->functions())) ||
        (node && !node.hasReferences() &&
         CleanUpContext(node, *this, *evaluation, *nodes).dropsNothing());
    return isPure ? WalkResult::advance() : WalkResult::interrupt();
  };
  return !op->walk<WalkOrder::PreOrder>(check).wasInterrupted();
}

/// The same of a call.
bool CleanUp::isUnneededCall(Operation *op) const {
  return evaluation->has(op) && pureCalls->contains(op) &&
         evaluation->mayChange(op) && !mayFail(evaluation->reason(op));
}

/// The plan lets it go with its last reader, whatever it is.
bool CleanUp::goesWithReaders(Operation *op) const {
  const FoldingInterface *dialect = FoldingInterface::of(op);
  return dialect && evaluation->has(op) && !op->use_empty() &&
         op->getNumRegions() == 0 &&
         dialect->isRemovable(op, evaluation->functions()) &&
         evaluation->mayChange(op);
}

/// Nobody but what is in `gone`, or what these are in, reads it.
static bool isReadByNoneBut(Operation *op, const auto &gone) {
  return llvm::all_of(op->getUsers(), [&](Operation *reader) {
    for (; reader != op->getParentOp(); reader = reader->getParentOp())
      if (gone.contains(reader))
        return true;
    return false;
  });
}

/// Nodes that the model never read. From the bottom up: what only they read is
/// unused then. (What only superseded nodes read goes with the plan.)
void CleanUp::removeUnused() {
  std::vector<Operation *> unused;
  llvm::DenseSet<Operation *> isUnused(gone.begin(), gone.end());
  evaluation->root()->walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        if (isUnused.contains(op) || op->getNumResults() == 0 ||
            !isReadByNoneBut(op, isUnused))
          return;
        // It would go without a trace, and reads nothing until then.
        bool folds = evaluation->has(op) && evaluation->isFoldable(op);
        // The file's own; what only unused nodes read goes with the plan.
        bool isUnread =
            (!keepsConstants && isa<OnnxConstantOp>(op) && op->use_empty()) ||
            (folds && isReadByNoneBut(op, reasons)) || // or a budget keeps it
            isUnneededCall(op) ||
            (evaluation->has(op) && mayGo(op) && isUnneeded(op));
        if (isUnread || folds || goesWithReaders(op))
          isUnused.insert(op);
        if (!isUnread)
          return;
        reasons[op] = unusedNode;
        unused.push_back(op);
      });
  gone.insert(gone.end(), unused.rbegin(), unused.rend());
}
