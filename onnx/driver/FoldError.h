//===- FoldError.h - What foldModel fails with ------------------*- C++ -*-===//
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
  Cancelled = 130, ///< FoldCallbacks::isCancelled said so
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

/// Errors of the layers below, which are texts, become FoldErrors.
llvm::Error asFoldError(llvm::Error error);

/// The code of an error, which is consumed: Failed for those of others.
FoldErrorCode takeCode(llvm::Error error);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLDERROR_H
