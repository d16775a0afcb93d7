//===- TargetOpset.h - --target-opset and --ir-version ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts a model that was just rewritten, and folds what the conversion
// added as another run would fold it, on the model as that run would read it:
// folding the output again changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_TARGETOPSET_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_TARGETOPSET_H

#include "onnxfold/onnx/driver/emit/internal/ExportSettings.h"
#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"

namespace onnxfold {

/// Makes `model` the converted one. Unchanged: that is the input.
llvm::Expected<StepResult>
convertToOpset(FoldedModel &model, const FoldOptions &options,
               const ModelSource &source, ModelContext &context,
               ResultCache *cache, ExportSettings &settings, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_TARGETOPSET_H
