//===- Arguments.h - The command line without some flags --------*- C++ -*-===//
//
// For another run with the same options: of this program by another engine
// (OtherEngine.h), or by the user, who copies it from a report.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_ARGUMENTS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_ARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace onnxfold {

/// Without those that only say how to report.
std::vector<std::string> withoutReporting(llvm::ArrayRef<char *> arguments);

/// Without -o, --verify and --verify-with.
std::vector<std::string> withoutVerification(llvm::ArrayRef<char *> arguments);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_ARGUMENTS_H
