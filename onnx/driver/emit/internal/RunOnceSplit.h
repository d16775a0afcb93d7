//===- RunOnceSplit.h - --run-once ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The steps of a run whose result is two models (RunOnce.h): what is to be run
// once is found before anything is evaluated, and taken out when all else is
// done.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_RUNONCESPLIT_H
#define ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_RUNONCESPLIT_H

#include "onnxfold/onnx/driver/emit/internal/ExportSettings.h"
#include "onnxfold/onnx/driver/fold/internal/TypeMistakes.h"

namespace onnxfold {

/// Before anything is evaluated: nothing of the named initializers may fold.
llvm::Expected<StepResult> findRunOnce(FoldedModel &model,
                                       const FoldOptions &options);

/// Adds the nodes that the limit on growth left out. REQUIRES: the plan is made
/// and not applied.
llvm::Expected<StepResult> addLeftOut(FoldedModel &model,
                                      const FoldOptions &options);

/// Splits the module, and writes both models. REQUIRES: model.once.
llvm::Expected<StepResult>
emitSplit(FoldedModel &model, const FoldOptions &options, OutputTarget &target,
          ExportSettings &settings, TypeMistakes &mistakes, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_RUNONCESPLIT_H
