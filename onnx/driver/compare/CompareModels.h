//===- CompareModels.h - Do two models compute the same? --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs two model files on the same inputs and compares their outputs, as
// foldModel does with a model and its result (onnx/verify/Verify.h):
//
//   FoldOptions options;
//   options.verifyTrials = 3;
//   FoldReport report;
//   if (llvm::Error error = compareModels("a.onnx", "b.onnx", options, report))
//     return error;                 // its code is Differs if they differ,
//                                   // NotVerified if an output is not compared
//
// These options are used: verifyTrials, level (at 2 floats may differ within
// its bound, else all values have to be equal), precision, verifyInputs, cut,
// fixed (both models are specialised with it; if it has a value for each input,
// one trial is enough), limits, dataRoots, threads. The result is in
// FoldReport::verification. Thread safety: that of foldModel.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_COMPARE_COMPAREMODELS_H
#define ONNXFOLD_ONNX_DRIVER_COMPARE_COMPAREMODELS_H

#include "onnxfold/onnx/driver/FoldModel.h"

namespace onnxfold {

llvm::Error compareModels(llvm::StringRef before, llvm::StringRef after,
                          const FoldOptions &options, FoldReport &report,
                          const FoldCallbacks &callbacks = {});

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_COMPARE_COMPAREMODELS_H
