//===- Emission.h - The steps that write the result -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A result is one model, two (RunOnceSplit.h), or the text of the IR. All of
// them write to the target of the run, which gives nothing a name.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_EMISSION_H
#define ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_EMISSION_H

#include "onnxfold/onnx/driver/emit/internal/ExportSettings.h"
#include "onnxfold/onnx/driver/fold/internal/TypeMistakes.h"

namespace onnxfold {

/// Writes the result in the form that the options ask for, or, without an
/// output, notes whether it would be another model.
llvm::Expected<StepResult> emit(FoldedModel &model, const FoldOptions &options,
                                OutputTarget &target, ExportSettings &settings,
                                TypeMistakes &mistakes, RunScope &run);

/// Says what the writer found when it compared the module with the file: what
/// the output cannot keep, and types that the model states wrongly.
llvm::Error sayLosses(const FoldedModel &model, ExportSettings &settings,
                      TypeMistakes &mistakes, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_EMISSION_H
