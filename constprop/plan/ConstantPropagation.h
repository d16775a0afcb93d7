//===- ConstantPropagation.h - The pass -------------------------*- C++ -*-===//
//
// Folds everything that depends on constants alone, for any dialect that
// provides a FoldingInterface:
//
//   pm.addPass(createConstantPropagationPass());       // --constprop
//
// or, with access to the table and the plan between the steps (as the
// onnx-fold tool does), Evaluation, FoldPlan and FoldPlan::apply by hand.
// Kept operations and their reasons are MLIR remarks, category "constprop":
//   --remarks-filter-missed=constprop
//
// The pass runs on any operation and folds what is nested in it. Dialects that
// materialize() (FoldingInterface.h) makes operations of must be loaded before
// the passes run, as MLIR wants it; the pass names none but its own.
// Errors: none; operations that cannot fold are kept. New constants are
// attributes that the IR alone holds: with a Collector (gc/Collector.h), those
// that die are freed after the pass.
// Thread safety: as a pass; several may run on different operations at once.
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

/// Evaluates, plans and rewrites what is nested in `root`, on the threads of
/// its context; emits remarks. True if it changed.
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
