//===- FoldError.h - The errors of foldModel --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each error of foldModel is a FoldError: a code, which is the exit status of
// the tool, and the fields of a ModelError: file, node, what was expected.
//
//   llvm::handleAllErrors(std::move(error), [](const FoldError &failure) {
//     if (failure.code() == FoldErrorCode::Cancelled) ...
//     llvm::errs() << failure.fault().get(ModelFault::Field::Node) << "\n";
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLDERROR_H
#define ONNXFOLD_ONNX_DRIVER_FOLDERROR_H

#include "onnxfold/onnx/ir/ModelError.h"

namespace onnxfold {

enum class FoldErrorCode : int {
  Failed = 1,      ///< an option, the input or the output is wrong
  Differs = 3,     ///< verification found a difference; no output is written
  NotVerified = 4, ///< an output could not be compared; no output is written
  Cancelled = 130, ///< FoldCallbacks::isCancelled returned true
};

class FoldError : public llvm::ErrorInfo<FoldError, ModelError> {
public:
  static char ID;

  FoldError(FoldErrorCode code, ModelFault fault)
      : ErrorInfo(std::move(fault)), errorCode(code) {}

  FoldErrorCode code() const { return errorCode; }

  std::error_code convertToErrorCode() const override;

private:
  FoldErrorCode errorCode;
};

/// Converts an error of the layers below to a FoldError.
llvm::Error asFoldError(llvm::Error error);

/// Consumes an error and returns its code; Failed if it is no FoldError.
FoldErrorCode takeCode(llvm::Error error);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLDERROR_H
