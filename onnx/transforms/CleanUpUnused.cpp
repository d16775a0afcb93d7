//===- CleanUpUnused.cpp - Nodes that nobody reads ------------------------===//
//
// What may go, and what nobody reads when the rest has gone.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/CleanUp.h"
#include "onnxfold/onnx/transforms/PureCalls.h"
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

/// Nodes that the model never read. From the bottom up: what only they read is
/// unused then. (What only superseded nodes read goes with the plan.)
void CleanUp::removeUnused() {
  std::vector<Operation *> unused;
  llvm::DenseSet<Operation *> isUnused(gone.begin(), gone.end());
  evaluation->root()->walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        // The file's own; what only unused nodes read goes with the plan.
        bool isConstant =
            !keepsConstants && isa<OnnxConstantOp>(op) && op->use_empty();
        // It would go without a trace, and reads nothing until then.
        bool folds = evaluation->has(op) && evaluation->isFoldable(op);
        if (isUnused.contains(op) ||
            !(isConstant || folds || isUnneededCall(op) ||
              (evaluation->has(op) && mayGo(op) && isUnneeded(op))))
          return;
        auto isReadBesides = [&](const auto &others) {
          return llvm::any_of(op->getUsers(), [&](Operation *reader) {
            for (; reader != op->getParentOp(); reader = reader->getParentOp())
              if (others.contains(reader)) // or what it is in
                return false;
            return true;
          });
        };
        if (op->getNumResults() == 0 || isReadBesides(isUnused))
          return;
        isUnused.insert(op);
        if (folds && isReadBesides(reasons)) // the budget may keep that
          return;
        reasons[op] = unusedNode;
        unused.push_back(op);
      });
  gone.insert(gone.end(), unused.rbegin(), unused.rend());
}
