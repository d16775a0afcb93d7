//===- ScansOfNothing.cpp - Scan outputs of empty loops -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/ScansOfNothing.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/functions/DraftSettling.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Inference gives a type only to what has none.
static void forgetRanks(Operation *loop) {
  for (Value result : loop->getResults())
    if (isa<UnrankedTensorType>(result.getType()) &&
        llvm::none_of(result.getUsers(), [](Operation *reader) {
          return reader->hasTrait<OpTrait::IsTerminator>();
        }))
      result.setType(OnnxUnknownType::get(loop->getContext()));
}

bool onnxfold::typeBodiesOfNothing(const Evaluation &evaluation,
                                   llvm::DenseSet<Value> &stated) {
  if (!evaluation.mayBeKept(ReasonCode::Undefined))
    return false;
  bool again = false;
  evaluation.root()->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || !(node.is("Loop") || node.is("Scan")) || !evaluation.has(op) ||
        evaluation.reason(op).code != ReasonCode::Undefined)
      return;
    bool isTyped = false;
    for (Region &body : op->getRegions())
      for (Value given : body.front().getTerminator()->getOperands()) {
        Operation *def = given.getDefiningOp();
        if (!def || !evaluation.has(def) || !evaluation.isFoldable(def))
          continue;
        Type type = typeOfState(evaluation.state(given), evaluation.exprs(),
                                op->getContext());
        if (!type || !stated.insert(given).second)
          continue;
        given.setType(type);
        isTyped = true;
      }
    if (isTyped)
      forgetRanks(op);
    again |= isTyped;
  });
  return again;
}

bool ScansOfNothing::finishLast() {
  const Evaluation &evaluation = session.evaluation();
  std::unique_ptr<FoldPlan> draft; // few models have such a loop
  bool again = false;
  for (const LoopUnrolling::Scanned &one : loops.unrolling().scanned()) {
    if (session.isInReplaced(one.loop.getOperation()))
      continue;
    if (!draft)
      draft = session.draftPlan();
    ResultRange scans = one.scans;
    auto isErased = [&](Operation *op) {
      return session.isInReplaced(op) ||
             outermostErased(op, evaluation, *draft);
    };
    if (isErased(one.loop.getOperation()) ||
        !llvm::all_of(scans.getUsers(), isErased))
      continue;
    DraftSettling settling(session, lifts, *draft, unrolledLoop);
    for (Operation *reader : scans.getUsers())
      settling.settle(reader);
    again = true;
  }
  return again;
}
