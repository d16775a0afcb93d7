//===- Verification.h - What runs with --verify share -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// foldModel compares a model with its result, compareModels two models.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFICATION_H
#define ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFICATION_H

#include "onnxfold/onnx/driver/prepare/RunScope.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "mlir/IR/BuiltinOps.h"

namespace onnxfold {

/// The step "verify": compares two modules as the options say, and tells the
/// report. `before` is the one that inputs of --verify-inputs are for.
/// `isRounded`: floats may differ within a bound, whatever the level.
llvm::Expected<StepResult> verifyInRun(const ImportedModel &before,
                                       mlir::ModuleOp after,
                                       const FoldOptions &options,
                                       RunScope &run, bool isRounded = false);

/// Differs with `difference` as its text if `found` has one; NotVerified, with
/// a text about `file`, if an output was not compared; else success.
llvm::Error verificationError(const VerifyResult &found, llvm::StringRef file,
                              const ModelFault &difference);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFICATION_H
