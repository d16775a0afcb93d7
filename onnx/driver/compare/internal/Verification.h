//===- Verification.h - What runs with --verify share -----------*- C++ -*-===//
//
// foldModel compares a model with its result, compareModels two models.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_VERIFICATION_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_VERIFICATION_H

#include "onnxfold/onnx/driver/FoldModel.h"

namespace onnxfold {

/// Trials, limits and the bound; without inputs and cancellation.
VerifyOptions verifyOptionsOf(const FoldOptions &options,
                              const FoldCallbacks &callbacks);

/// Differs with `difference` as its text if `found` has one; NotVerified, with
/// a text about `file`, if an output was not compared; else success.
llvm::Error verificationError(const VerifyResult &found, llvm::StringRef file,
                              const ModelFault &difference);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_VERIFICATION_H
