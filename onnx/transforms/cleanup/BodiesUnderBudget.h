//===- BodiesUnderBudget.h - Large operations with bodies -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A plan under a budget keeps operations with bodies where it erases others,
// because it does not look into bodies. So an If that folds but does not fit is
// replaced by the branch that it takes, and an operation with bodies that loses
// its users is erased with them. Thread safety: none.
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
