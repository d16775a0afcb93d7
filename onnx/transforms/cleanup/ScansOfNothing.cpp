//===- ScansOfNothing.cpp - Scan outputs of empty loops -------------------===//

#include "onnxfold/onnx/transforms/cleanup/ScansOfNothing.h"
#include "onnxfold/onnx/transforms/functions/DraftSettling.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

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
