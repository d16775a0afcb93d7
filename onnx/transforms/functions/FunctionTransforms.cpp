//===- FunctionTransforms.cpp - Calls and functions as transforms ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/FunctionTransforms.h"
#include "onnxfold/onnx/transforms/functions/DraftSettling.h"
#include "onnxfold/onnx/transforms/functions/internal/InliningTrial.h"
#include "onnxfold/onnx/transforms/functions/internal/JoinedOperands.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "llvm/ADT/STLExtras.h"

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
  auto isReplaced = [&](Operation *inner) { return session.isReplaced(inner); };
  bool isAsked = calls.isAsked(op);
  if (!isEnabled && !isAsked)
    return false;
  if (isAsked)
    if (std::string why = calls.whyKept(op, session.evaluation(),
                                        session.nodes(), isReplaced);
        !why.empty())
      session.refuse(op, "it is not inlined: " + why);
  auto made =
      calls.run(Operator::from(op), session.evaluation(), session.nodes(),
                isReplaced, [&] { return session.mayInline(op); });
  if (!made)
    return false;
  session.markReplaced(op, isAsked ? inlinedFunction : constantCall);
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

/// Nodes that fold, and those that only these read, call nothing any more; but
/// the budget may leave some of them where they are.
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
  if (typesSingle)
    session.noteMoreKnown(calls.noteSimplified(evaluation, isReplaced));
  return false;
}

/// When nothing is left to do without them, bodies of functions with one call
/// get the types that it passes: what simplifies then does so because of the
/// call, which is inlined.
bool InlineCalls::finishLast() {
  auto isKnown = [&](const CallGraph::Function *function) {
    return analyses.types().knowsSingle(*function);
  };
  if (!isEnabled || !analyses.types().hasFunctions())
    return false;
  if (typesSingle || !llvm::any_of(calls.calledOnce(), isKnown) ||
      !analyses.typeSingle())
    return tryCalls();
  typesSingle = true;
  calls.noteSettled(session.evaluation(),
                    [&](Operation *op) { return session.isReplaced(op); });
  return true;
}

/// True if a pattern would match across the border of a function with one call,
/// so that the next walk inlines it.
bool InlineCalls::tryCalls() {
  Evaluation &evaluation = session.evaluation();
  auto isReplaced = [&](Operation *op) { return session.isReplaced(op); };
  auto infer = [&](Operation *op) { analyses.types().infer(op, evaluation); };
  InliningTrial trial(session, patterns, infer);
  bool again = false;
  for (const CallGraph::Function *function : calls.calledOnce()) {
    Operation *call = function->calls.front();
    if (!session.isInReplaced(call) && evaluation.has(call) &&
        !evaluation.isFoldable(call) &&
        calls.mayTry(call, evaluation, session.nodes(), isReplaced) &&
        trial.simplifies(Operator::from(call), function->op)) {
      calls.noteTried(function->op);
      again = true;
    }
  }
  return again;
}

/// Calls that will be erased pass other types than those that are left: these
/// give the body of the function better ones in the next run.
static bool passOtherTypes(const CallGraph::Function &function,
                           const CallGraph &graph, const Evaluation &evaluation,
                           llvm::function_ref<bool(Operation *)> isErased,
                           llvm::function_ref<bool(Operation *)> willBeErased) {
  JoinedOperands all, left;
  for (Operation *call : function.calls) {
    if (!graph.mainGraph()->isProperAncestor(call))
      return false;
    if (isErased(call) || !evaluation.has(call))
      continue;
    all.note(function.op, call, evaluation);
    if (!willBeErased(call))
      left.note(function.op, call, evaluation);
  }
  return left.knows(function.op) && !left.isSame(all, function.op);
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
  const CallGraph &graph = analyses.types().calls();
  auto isOther = [&](const CallGraph::Function *function) {
    return passOtherTypes(*function, graph, evaluation, isErased, willBeErased);
  };
  if (lifted || !llvm::any_of(graph.calleesFirst(), isOther))
    return lifted;
  settling.settleCalls(analyses.types());
  return true;
}
