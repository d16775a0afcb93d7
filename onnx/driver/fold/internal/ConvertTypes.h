//===- ConvertTypes.h - --convert -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts element types of a model that was rewritten, and perhaps converted
// to another opset (TypeConversion.h). What it did is in the report.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CONVERTTYPES_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CONVERTTYPES_H

#include "onnxfold/onnx/driver/emit/internal/ExportSettings.h"
#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"

namespace onnxfold {

/// If nodes can be folded then that could not before, this folds once more, and
/// converts what that made.
llvm::Expected<StepResult>
convertModelTypes(FoldedModel &model, const FoldOptions &options,
                  const ModelSource &source, ModelContext &context,
                  ResultCache *cache, ExportSettings &settings, RunScope &run);

/// Gives the main graph of `module` inputs and outputs of the element types
/// that those of their names have in `like`, with Casts: both can be run on the
/// same values then.
void takeInterface(mlir::ModuleOp module, mlir::ModuleOp like);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CONVERTTYPES_H
