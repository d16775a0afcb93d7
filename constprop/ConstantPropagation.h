//===- ConstantPropagation.h - The pass -------------------------*- C++ -*-===//
//
// Folds everything that depends on constants alone, for any dialect that
// provides a FoldingInterface:
//
//   pm.addPass(createConstantPropagationPass());       // --constprop
//
// or, with access to the table and the plan between the steps (as the
// onnx-fold tool does), Evaluation, FoldPlan and FoldPlan::apply by hand.
// What stays and why is reported as MLIR remarks, category "constprop":
//   --remarks-filter-missed=constprop
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_CONSTANTPROPAGATION_H
#define ONNXFOLD_CONSTPROP_CONSTANTPROPAGATION_H

#include "onnxfold/constprop/Evaluation.h"
#include "mlir/Pass/Pass.h"

namespace onnxfold {

struct ConstantPropagationOptions {
  EvaluationOptions evaluation;
  std::optional<int64_t> maxGrowth; // bytes; nothing = unlimited
};

/// Evaluates, plans and rewrites `root`; emits remarks. True if it changed.
bool propagateConstants(mlir::Operation *root,
                        const ConstantPropagationOptions &options);

std::unique_ptr<mlir::Pass> createConstantPropagationPass();
void registerConstantPropagationPass();

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_CONSTANTPROPAGATION_H
