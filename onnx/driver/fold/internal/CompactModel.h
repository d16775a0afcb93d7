//===- CompactModel.h - --compact-constants ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The last change of a model before it is written: nothing folds what it makes.
// In a later run with the option the plan keeps these nodes
// (ModuleFoldingOptions::keepsCompactNodes).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_COMPACTMODEL_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_COMPACTMODEL_H

#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"

namespace onnxfold {

/// Replaces constants, and tells the report which. Those of --keep-initializer
/// and those that quantization annotations name stay.
llvm::Expected<StepResult>
compactModel(FoldedModel &model, const FoldOptions &options, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_COMPACTMODEL_H
