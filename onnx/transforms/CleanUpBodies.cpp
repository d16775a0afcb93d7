//===- CleanUpBodies.cpp - Bodies that take the place of nodes ------------===//
//
// The clean-ups that look into bodies: of branches, loops and functions.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/CleanUp.h"

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

bool CleanUp::inlineCall(Operation *op) {
  if (reasons.contains(op))
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

/// Last, when nothing else changes what calls pass. True if something is there
/// to be evaluated.
bool CleanUp::liftFromFunctions() {
  auto isGoing = [&](Operation *op) {
    for (; op; op = op->getParentOp())
      if (reasons.contains(op))
        return true;
    return false;
  };
  if (!liftsConstants ||
      !lifts.run(*evaluation, *nodes,
                 {isGoing,
                  [&](Operation *op) { supersede(op, liftFromFunction); },
                  [&](Operation *op) { changes.rewired.insert(op); }}))
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
