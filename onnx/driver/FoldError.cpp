//===- FoldError.cpp - What foldModel fails with --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/FoldError.h"

using namespace onnxfold;

char FoldError::ID = 0;

std::error_code FoldError::convertToErrorCode() const {
  if (errorCode == FoldErrorCode::Cancelled)
    return std::make_error_code(std::errc::operation_canceled);
  return llvm::inconvertibleErrorCode();
}

llvm::Error onnxfold::asFoldError(llvm::Error error) {
  if (!error || error.isA<FoldError>())
    return error;
  return llvm::make_error<FoldError>(FoldErrorCode::Failed,
                                     takeFault(std::move(error)));
}

FoldErrorCode onnxfold::takeCode(llvm::Error error) {
  FoldErrorCode code = FoldErrorCode::Failed;
  llvm::handleAllErrors(
      std::move(error), [&](const FoldError &known) { code = known.code(); },
      [](const llvm::ErrorInfoBase &) {});
  return code;
}
