//===- TwoModels.h - Runs that read two models ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of compareModels and diffModels: a run that prepares both
// models as the options say, and whose errors are those of foldModel.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_TWOMODELS_H
#define ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_TWOMODELS_H

#include "onnxfold/onnx/driver/prepare/PreparedModel.h"

namespace onnxfold {

/// Prepares both models, and calls `compare`. Any error is a FoldError.
llvm::Error
withTwoModels(llvm::StringRef before, llvm::StringRef after,
              const FoldOptions &options, FoldReport &report,
              const FoldCallbacks &callbacks,
              llvm::function_ref<llvm::Error(ImportedModel &, ImportedModel &,
                                             RunScope &)>
                  compare);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_TWOMODELS_H
