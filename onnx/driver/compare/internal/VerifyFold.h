//===- VerifyFold.h - --verify ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The steps that compare a model with what was made of it. What a reader of the
// output will find is compared, not what was meant to be written; only where no
// model is written, or two, there is no file to read.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFYFOLD_H
#define ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFYFOLD_H

#include "onnxfold/onnx/driver/emit/internal/OutputTarget.h"
#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"

namespace onnxfold {

/// Compares the module, before it is written, if there will be no file.
llvm::Expected<StepResult>
verifyModule(FoldedModel &model, const FoldOptions &options,
             const ModelSource &source, ModelContext &context,
             const OutputTarget &target, RunScope &run);

/// Compares what was written, if verifyModule() did nothing.
llvm::Expected<StepResult>
verifyWritten(FoldedModel &model, const FoldOptions &options,
              const ModelSource &source, ModelContext &context,
              const OutputTarget &target, RunScope &run);

/// True if a result was compared and must not be written.
bool isRejected(const FoldReport &report);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFYFOLD_H
