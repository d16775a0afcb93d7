//===- FoldWritten.h - A converted model, folded once more ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Folds what a conversion added as another run would fold it, on the model as
// that run would read it: folding the output again changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDWRITTEN_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDWRITTEN_H

#include "onnxfold/onnx/driver/emit/internal/ExportSettings.h"
#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"

namespace onnxfold {

/// Makes `model` what is read of its bytes, which are built in memory (without
/// data files that stay), and folded. Unchanged: the bytes are the input.
llvm::Expected<StepResult>
foldWritten(FoldedModel &model, const FoldOptions &options,
            const ModelSource &source, ModelContext &context,
            ResultCache *cache, ExportSettings &settings, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDWRITTEN_H
