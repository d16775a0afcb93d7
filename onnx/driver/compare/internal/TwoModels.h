//===- TwoModels.h - Runs that read two models ------------------*- C++ -*-===//
//
// The common part of compareModels and diffModels: a run with a context and
// threads of its own, which reads both models as the options say, and whose
// errors are those of foldModel.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_TWOMODELS_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_TWOMODELS_H

#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/io/Import.h"

namespace onnxfold {

/// Reads both models, fixes their inputs, and calls `run`. Any error is a
/// FoldError.
llvm::Error withTwoModels(
    llvm::StringRef before, llvm::StringRef after, const FoldOptions &options,
    llvm::function_ref<llvm::Error(ImportedModel &, ImportedModel &)> run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_TWOMODELS_H
