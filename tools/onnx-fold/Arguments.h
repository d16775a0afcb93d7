//===- Arguments.h - The command line without some flags --------*- C++ -*-===//
//
// Makes the command line of another run with the same options. Another engine
// runs it (OtherEngine.h), or a user who copies it from a report.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_ARGUMENTS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_ARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace onnxfold {

/// The arguments without those that only concern reports and messages.
std::vector<std::string> withoutReporting(llvm::ArrayRef<char *> arguments);

/// The arguments without -o, --verify and --verify-with.
std::vector<std::string> withoutVerification(llvm::ArrayRef<char *> arguments);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_ARGUMENTS_H
