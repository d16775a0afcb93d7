//===- FoldSteps.h - Evaluate, plan, rewrite --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The steps of foldModel between preparation and emission. Conversions by
// --target-opset and --convert run them once more (Conversions.h).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDSTEPS_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDSTEPS_H

#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"
#include "onnxfold/onnx/driver/fold/internal/TypeMistakes.h"

namespace onnxfold {

/// Reads the growth of earlier runs, looks for patterns of --only and --skip
/// that match nothing, and shows the report the model before its fold.
llvm::Expected<StepResult> beginFold(FoldedModel &model,
                                     const FoldOptions &options, RunScope &run);

/// Names of values that quantization annotations have: of what they are about,
/// and of scales and zero points.
llvm::StringSet<> annotatedNames(const ModelIndex &index);

/// Fills the table of the model, and applies clean-ups. `cache` may be null.
/// This is all of the step "evaluate" but for what it says.
llvm::Error evaluateModel(FoldedModel &model, const FoldOptions &options,
                          ResultCache *cache, RunScope &run);

/// evaluateModel(), and what is to be said of refused nodes, and of types that
/// the model states wrongly. It reads the model again where the result would
/// show a mistake (ShownMistakes.h).
llvm::Expected<StepResult> evaluate(FoldedModel &model,
                                    const FoldOptions &options,
                                    const ModelSource &source,
                                    ModelContext &context, ResultCache *cache,
                                    TypeMistakes &mistakes, RunScope &run);

/// Chooses the constants, and tells the report the outcome of every node.
llvm::Expected<StepResult> plan(FoldedModel &model, const FoldOptions &options,
                                RunScope &run);

/// Applies the plan, and puts initializers back that were held.
llvm::Expected<StepResult> rewrite(FoldedModel &model,
                                   const FoldOptions &options, RunScope &run);

/// --compact-constants: replaces constants, and tells the report which. Those
/// of --keep-initializer and those that quantization annotations name stay. It
/// is the last change of a model: nothing folds what it makes, and in a later
/// run with the option the plan keeps these nodes
/// (ModuleFoldingOptions::keepsCompactNodes).
llvm::Expected<StepResult>
compactModel(FoldedModel &model, const FoldOptions &options, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDSTEPS_H
