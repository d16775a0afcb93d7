//===- ConstantPropagation.h - The pass -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Folds everything that depends on constants alone, for any dialect that
// provides a FoldingInterface:
//
//   pm.addPass(createConstantPropagationPass());       // --constprop
//
// A caller that needs the table and the plan between the steps (as the
// onnx-fold tool does) uses Evaluation, FoldPlan and FoldPlan::apply itself.
// Kept operations and their reasons are MLIR remarks, category "constprop":
//   --remarks-filter-missed=constprop
//
// The pass runs on any operation and folds the operations in it. The dialects
// of the operations that materialize() (FoldingInterface.h) makes must be
// loaded before the passes run, as MLIR requires; the pass names none but its
// own. Errors: none; operations that cannot fold are kept. New constants are
// attributes that the IR alone holds: with a Collector (gc/Collector.h),
// constants that are erased are freed after the pass.
// Thread safety: that of a pass; several may run on different operations at
// once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_PLAN_CONSTANTPROPAGATION_H
#define ONNXFOLD_CONSTPROP_PLAN_CONSTANTPROPAGATION_H

#include "onnxfold/constprop/Evaluation.h"
#include "mlir/Pass/Pass.h"

namespace onnxfold {

struct ConstantPropagationOptions {
  EvaluationOptions evaluation;
  std::optional<int64_t> maxGrowth; // bytes; nothing = unlimited
};

/// Evaluates, plans and rewrites the operations in `root`, on the threads of
/// its context, and emits remarks. Returns true if `root` changed.
bool propagateConstants(mlir::Operation *root,
                        const ConstantPropagationOptions &options);

/// propagateConstants as a pass, `constprop` (Passes.td). The functions in
/// `options` are called by every copy of the pass, from several threads.
std::unique_ptr<mlir::Pass>
createConstantPropagationPass(const ConstantPropagationOptions &options = {});

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/constprop/plan/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_PLAN_CONSTANTPROPAGATION_H
