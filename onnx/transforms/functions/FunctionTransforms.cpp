//===- FunctionTransforms.cpp - Calls and functions as transforms ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/FunctionTransforms.h"
#include "onnxfold/onnx/transforms/functions/DraftSettling.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"

using namespace onnxfold;
using namespace mlir;

void InlineCalls::begin() {
  if (!calls.hasCounted())
    calls.count(session.evaluation().root(),
                [&](Operation *op) { return session.isReplaced(op); });
}

bool InlineCalls::visitAny(Operation *op) {
  if (session.isReplaced(op) || session.evaluation().isFoldable(op))
    return false;
  auto made = calls.run(
      Operator::from(op), session.evaluation(), session.nodes(),
      [&](Operation *inner) { return session.isReplaced(inner); },
      [&] { return session.mayInline(op); });
  if (!made)
    return false;
  session.markReplaced(op, constantCall);
  session.noteNames(*made);
  waiting.push_back({std::move(*made)});
  if (visited) {
    // Calls of calls, which are visited below, next. If not, as a body in
    // between holds them, what reads them was visited too early.
    session.noteMoreKnown(op != visited);
    return true;
  }
  while (!waiting.empty()) {
    auto &[ops, next] = waiting.back();
    if (next == ops.size()) {
      waiting.pop_back();
      continue;
    }
    visited = ops[next++];
    session.visitCopy(visited); // more is known of what is passed
  }
  visited = nullptr;
  return true;
}

/// What folds, and what only that reads, calls nothing any more; but the budget
/// may leave some of it where it is.
bool InlineCalls::finish() {
  if (!analyses.types().hasFunctions())
    return false;
  const Evaluation &evaluation = session.evaluation();
  const FoldPlan &draft = analyses.draft();
  auto isReplaced = [&](Operation *op) { return session.isReplaced(op); };
  session.noteMoreKnown(calls.fitsNow(evaluation, isReplaced));
  session.noteMoreKnown(calls.count(evaluation.root(), [&](Operation *op) {
    return isReplaced(op) || outermostErased(op, evaluation, draft);
  }));
  session.noteMoreKnown(calls.noteDiverging(evaluation, isReplaced));
  return false;
}

bool LiftFromFunctions::finishLast() {
  if (!analyses.types().hasFunctions())
    return false;
  const Evaluation &evaluation = session.evaluation();
  const FoldPlan &draft = analyses.draft();
  DraftSettling settling(session, lifts, draft);
  auto isErased = [&](Operation *op) { return session.isInReplaced(op); };
  auto willBeErased = [&](Operation *op) {
    return isErased(op) || outermostErased(op, evaluation, draft);
  };
  if (std::optional<int64_t> left = session.growth.left())
    lifts.setBudget(*left + session.growth.lifted -
                    settling.bytesOfCalls(analyses.types()));
  bool lifted = lifts.run(
      evaluation, session.nodes(),
      {isErased, willBeErased,
       [&](Operation *op) { session.markReplaced(op, liftFromFunction); },
       [&](Operation *op) { session.noteRewired(op); },
       [&] { settling.settleCalls(analyses.types()); }});
  session.growth.lifted = lifts.growth();
  if (lifted)
    session.names().clear(); // arguments have others now
  return lifted;
}
