//===- CleanUpBodies.cpp - Bodies that take the place of nodes ------------===//
//
// The clean-ups that look into bodies: of branches, loops and functions.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUp.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// What stood in a branch is looked at again: with what it was equal to outside
/// it is one now.
bool CleanUp::inlineBranch(Operation *op) {
  auto moved = branches.run(Operator::from(op), *evaluation, *nodes, changes);
  if (!moved)
    return false;
  supersede(op, constantBranch);
  knowsMore |= branches.hasRenamed();
  visitNew(*moved);
  return true;
}

/// What the operation is in, or itself, if that goes with the draft.
static Operation *outermostGone(Operation *op, const Evaluation &evaluation,
                                const FoldPlan &draft) {
  Operation *result = nullptr;
  for (; op; op = op->getParentOp())
    if (evaluation.has(op) && draft.action(op) != FoldPlan::Action::Kept)
      result = op;
  return result;
}

/// An If that folds, but the budget leaves it out: the branch that is taken
/// takes its place, of which some may find room.
bool CleanUp::inlineLeftOut(Operation *op) {
  if (op->getNumRegions() != 0)
    withBodies.push_back(op);
  return leftOut.contains(op) && !reasons.contains(op) && inlineBranch(op);
}

/// The operation would go with its readers, if there were no budget.
bool CleanUp::losesReaders(Operation *op, const FoldPlan &draft) const {
  return !op->use_empty() && mayGo(op) && isUnneeded(op) &&
         llvm::all_of(op->getUsers(), [&](Operation *reader) {
           return outermostGone(reader, *evaluation, draft);
         });
}

/// Operations with bodies stay under a budget where others go: the plan does
/// not look into them. True if the next walk finds more.
bool CleanUp::haveBodiesLeft() {
  std::vector<Operation *> seen = std::exchange(withBodies, {});
  if (!budget || seen.empty())
    return false;
  std::unique_ptr<FoldPlan> draft = draftPlan();
  if (!draft->isLimited())
    return false;
  bool again = false;
  for (Operation *op : seen) {
    if (reasons.contains(op) || draft->action(op) != FoldPlan::Action::Kept)
      continue;
    if (evaluation->isFoldable(op)) {
      again |=
          inlines && Operator::from(op).is("If") && leftOut.insert(op).second;
    } else if (losesReaders(op, *draft)) {
      again = true;
      for (Operation *reader : op->getUsers())
        settle(reader, *draft);
      supersede(op, unusedNode);
    }
  }
  return again;
}

bool CleanUp::inlineCall(Operation *op) {
  if (reasons.contains(op) || evaluation->isFoldable(op))
    return false;
  auto made =
      calls.run(Operator::from(op), *evaluation, *nodes,
                [&](Operation *inner) { return reasons.contains(inner); });
  if (!made)
    return false;
  supersede(op, constantCall);
  visitNew(*made, /*areCopies=*/true); // more is known of what is passed
  return true;
}

/// True if another walk would find more to do, of calls too. What folds, and
/// what only that reads, calls nothing any more; but the budget may leave some
/// of it where it is.
bool CleanUp::hasCallsChanged() {
  if (!callTypes->hasFunctions())
    return knowsMore;
  std::unique_ptr<FoldPlan> draft = draftPlan();
  if (inlinesCalls) {
    auto isSuperseded = [&](Operation *op) { return reasons.contains(op); };
    knowsMore |= calls.fitsNow(*evaluation, isSuperseded);
    knowsMore |= calls.count(evaluation->root(), [&](Operation *op) {
      return reasons.contains(op) || outermostGone(op, *evaluation, *draft);
    });
    knowsMore |= calls.noteDiverging(*evaluation, isSuperseded);
  }
  return knowsMore || liftFromFunctions(*draft);
}

/// What goes with the draft goes now: a constant takes its place, or nobody
/// reads it any more.
void CleanUp::settle(Operation *op, const FoldPlan &draft) {
  op = outermostGone(op, *evaluation, draft);
  if (!op || reasons.contains(op))
    return;
  bool folds = draft.action(op) == FoldPlan::Action::Folded;
  supersede(op, folds ? constantCall : unusedNode);
  OpBuilder builder(op);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (result.use_empty())
      continue;
    if (!folds) {
      for (Operation *reader : result.getUsers())
        settle(reader, draft);
      continue;
    }
    bytesSettled += draft.bytesOf(result);
    Value constant = FoldingInterface::of(op)->materialize(
        builder, op, i, evaluation->state(result).value.narrowed());
    evaluation->add(constant.getDefiningOp());
    lifts.note(constant.getDefiningOp(), {op, sourcesOf(op)});
    result.replaceAllUsesWith(constant);
  }
}

/// Calls of functions that are about to change.
void CleanUp::settleCalls(const FoldPlan &draft) {
  std::vector<Operation *> called;
  evaluation->root()->walk([&](Operation *op) {
    if (callTypes->isCall(op))
      called.push_back(op);
  });
  for (Operation *op : called)
    settle(op, draft);
}

/// Bytes of constants that settleCalls would make: lifting leaves room for
/// them.
int64_t CleanUp::bytesToSettle(const FoldPlan &draft) const {
  int64_t bytes = 0;
  llvm::SmallPtrSet<Operation *, 8> seen;
  evaluation->root()->walk([&](Operation *op) {
    if (!callTypes->isCall(op))
      return;
    Operation *top = outermostGone(op, *evaluation, draft);
    if (!top || reasons.contains(top) || !seen.insert(top).second ||
        draft.action(top) != FoldPlan::Action::Folded)
      return;
    for (Value result : top->getResults())
      bytes += result.use_empty() ? 0 : draft.bytesOf(result);
  });
  return bytes;
}

/// Last, when nothing else changes what calls pass. True if something is there
/// to be evaluated.
bool CleanUp::liftFromFunctions(const FoldPlan &draft) {
  auto isGoing = [&](Operation *op) {
    for (; op; op = op->getParentOp())
      if (reasons.contains(op))
        return true;
    return false;
  };
  auto goes = [&](Operation *op) {
    return isGoing(op) || outermostGone(op, *evaluation, draft);
  };
  if (budget)
    lifts.setBudget(*budget - decompositions->growth() - bytesSettled -
                    bytesToSettle(draft));
  if (!liftsConstants ||
      !lifts.run(*evaluation, *nodes,
                 {isGoing, goes,
                  [&](Operation *op) { supersede(op, liftFromFunction); },
                  [&](Operation *op) { changes.rewired.insert(op); },
                  [&] { settleCalls(draft); }}))
    return false;
  namesOf.clear(); // arguments have others now
  mentions.clear();
  return true;
}

bool CleanUp::unroll(Operation *op) {
  auto made =
      loops.run(Operator::from(op), *evaluation, *nodes,
                [&](Operation *inner) { return reasons.contains(inner); });
  if (!made)
    return false;
  supersede(op, unrolledLoop);
  visitNew(*made, /*areCopies=*/true);
  return true;
}
