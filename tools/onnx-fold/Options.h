//===- Options.h - The command line of onnx-fold ----------------*- C++ -*-===//
//
// What the user asked for, checked. docs/reference.md describes every flag.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H

#include "onnxfold/onnx/driver/FoldOptions.h"

namespace onnxfold {

struct Options {
  std::string input;  // "-": standard input
  std::string output; // "-": standard output
  bool check = false, quiet = false, progress = false;
  FoldOptions fold;
};

/// Parses the command line. Prints help or version and exits where asked to;
/// an error is a message without the program's name.
llvm::Expected<Options> parseOptions(int argc, char **argv);

/// "model.onnx" -> "model.folded.onnx".
std::string defaultOutput(llvm::StringRef input);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H
