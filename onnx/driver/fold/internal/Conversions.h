//===- Conversions.h - --target-opset and --convert -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Steps that convert a model that was just rewritten, first to another opset,
// then to other element types. What a conversion adds is folded as another run
// would fold it, on the model as that run would read it: folding the output
// again changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CONVERSIONS_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CONVERSIONS_H

#include "onnxfold/onnx/driver/emit/internal/ExportSettings.h"
#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"

namespace onnxfold {

/// Makes `model` the one of --target-opset. Unchanged: that is the input.
llvm::Expected<StepResult>
convertToOpset(FoldedModel &model, const FoldOptions &options,
               const ModelSource &source, ModelContext &context,
               ResultCache *cache, ExportSettings &settings, RunScope &run);

/// Converts element types (TypeConversion.h), and tells the report which. If
/// nodes can be folded then that could not before, this folds once more, and
/// converts what that made.
llvm::Expected<StepResult>
convertModelTypes(FoldedModel &model, const FoldOptions &options,
                  const ModelSource &source, ModelContext &context,
                  ResultCache *cache, ExportSettings &settings, RunScope &run);

/// Makes `model` what is read of its bytes, which are built in memory (without
/// data files that stay), and folded. Unchanged: the bytes are the input.
llvm::Expected<StepResult>
foldWritten(FoldedModel &model, const FoldOptions &options,
            const ModelSource &source, ModelContext &context,
            ResultCache *cache, ExportSettings &settings, RunScope &run);

/// Gives the main graph of `module` inputs and outputs of the element types
/// that those of their names have in `like`, with Casts: both can be run on the
/// same values then.
void takeInterface(mlir::ModuleOp module, mlir::ModuleOp like);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CONVERSIONS_H
