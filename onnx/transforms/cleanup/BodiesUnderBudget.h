//===- BodiesUnderBudget.h - What has bodies and is left out ----*- C++ -*-===//
//
// Operations with bodies stay under a budget where others go: a plan does not
// look into them. Of an If that folds but does not fit, the branch that is
// taken takes its place; what has bodies and loses its readers goes with them.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_BODIESUNDERBUDGET_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_BODIESUNDERBUDGET_H

#include "onnxfold/onnx/transforms/controlflow/ControlFlowTransforms.h"
#include "onnxfold/onnx/transforms/functions/CallAnalyses.h"
#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class BodiesUnderBudget : public Transform {
public:
  /// `branches`: null if branches are not inlined.
  BodiesUnderBudget(RewriteSession &session, const CallAnalyses &calls,
                    InterproceduralConstants &lifts, InlineBranches *branches)
      : Transform(session), calls(calls), lifts(lifts), branches(branches) {}
  void begin() override { seen.clear(); }
  bool visitAny(mlir::Operation *op) override;
  bool finishLast() override;

private:
  bool losesReaders(mlir::Operation *op, const FoldPlan &draft) const;

  const CallAnalyses &calls;
  InterproceduralConstants &lifts;
  InlineBranches *branches;
  std::vector<mlir::Operation *> seen; ///< with bodies, in this walk
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_BODIESUNDERBUDGET_H
