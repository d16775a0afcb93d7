//===- OpenBatchStep.h - --batch=open ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Opens the leading size of the inputs before anything is evaluated
// (OpenBatch.h).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_PREPARE_INTERNAL_OPENBATCHSTEP_H
#define ONNXFOLD_ONNX_DRIVER_PREPARE_INTERNAL_OPENBATCHSTEP_H

#include "onnxfold/onnx/driver/prepare/PreparedModel.h"

namespace onnxfold {

/// Opens the leading sizes of one model, and says what it opened.
llvm::Error openBatchOf(const ImportedModel &imported,
                        const FoldOptions &options, OpenedBatch &opened);

/// Fills PreparedModel::batch where something was opened.
llvm::Expected<StepResult>
openBatchStep(PreparedModel &model, const FoldOptions &options, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_PREPARE_INTERNAL_OPENBATCHSTEP_H
