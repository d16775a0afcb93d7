//===- TwoModels.h - Runs that read two models ------------------*- C++ -*-===//
//
// What comparing two models and telling their difference share: a context and
// threads of their own, both models as the options have them, errors as those
// of foldModel.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_TWOMODELS_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_TWOMODELS_H

#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/io/Import.h"

namespace onnxfold {

/// Reads both, with inputs fixed, and calls `run`. Any error is a FoldError.
llvm::Error withTwoModels(
    llvm::StringRef before, llvm::StringRef after, const FoldOptions &options,
    llvm::function_ref<llvm::Error(ImportedModel &, ImportedModel &)> run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_TWOMODELS_H
