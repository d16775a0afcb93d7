//===- FoldError.h - The errors of foldModel --------------------*- C++ -*-===//
//
// Each error of foldModel is a FoldError: a code, which is the exit status of
// the tool, and a text that names file, node and what was expected.
//
//   llvm::handleAllErrors(std::move(error), [](const FoldError &failure) {
//     if (failure.code() == FoldErrorCode::Cancelled) ...
//     llvm::errs() << failure.message() << "\n";
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLDERROR_H
#define ONNXFOLD_ONNX_DRIVER_FOLDERROR_H

#include "llvm/Support/Error.h"
#include <string>

namespace onnxfold {

enum class FoldErrorCode : int {
  Failed = 1,      ///< an option, the input or the output is wrong
  Differs = 3,     ///< verification found a difference; no output is written
  NotVerified = 4, ///< an output could not be compared; no output is written
  Cancelled = 130, ///< FoldCallbacks::isCancelled returned true
};

class FoldError : public llvm::ErrorInfo<FoldError> {
public:
  static char ID;

  FoldError(FoldErrorCode code, std::string text)
      : errorCode(code), text(std::move(text)) {}

  FoldErrorCode code() const { return errorCode; }

  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

private:
  FoldErrorCode errorCode;
  std::string text;
};

/// Converts an error of the layers below, which is a text, to a FoldError.
llvm::Error asFoldError(llvm::Error error);

/// Consumes an error and returns its code; Failed if it is no FoldError.
FoldErrorCode takeCode(llvm::Error error);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLDERROR_H
