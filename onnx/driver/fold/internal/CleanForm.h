//===- CleanForm.h - --constants, --prune and what the writer did -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The options that change the form of a model and no value: --strip,
// --constants, --sort, --prune, --inputs-without-initializers. The writer does
// most of it (onnx/io/write/Cleaning.h); here is what it needs of the module, and the
// section of the report.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CLEANFORM_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CLEANFORM_H

#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"
#include "onnxfold/onnx/io/write/Cleaning.h"

namespace onnxfold {

/// Begins the section of the report, and makes Constant nodes initializers
/// while --constants folds.
llvm::Expected<StepResult>
beginCleaning(FoldedModel &model, const FoldOptions &options, RunScope &run);

/// The same for a model that was read again.
void holdConstantsAgain(mlir::ModuleOp module, const FoldOptions &options);

/// Erases initializers that nothing reads, with --prune. REQUIRES: the plan is
/// applied.
void pruneInitializers(FoldedModel &model, const FoldOptions &options,
                       RunScope &run);

/// Tells the report what a writer did. `isLast`: it wrote the result.
void noteCleaning(const CleaningRecord &record, bool isLast,
                  FoldReport &report);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_CLEANFORM_H
