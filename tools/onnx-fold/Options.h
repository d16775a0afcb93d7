//===- Options.h - The command line of onnx-fold ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The checked options of a command line. docs/reference.md describes every
// flag.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H

#include "Messages.h"
#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/driver/reduce/ReduceModel.h"

namespace onnxfold {

struct Options {
  std::string input;  // "-": standard input
  std::string output; // "-": standard output
  /// Several models or folders, as they were given. Each model has a run with
  /// its own `input` and `output` (Batch.h).
  std::vector<std::string> models;
  std::string outputDir;              // --output-dir; empty: beside the inputs
  std::optional<uint64_t> memory;     // --batch-memory
  std::string compared;               // of compare and diff: the other model
  bool diff = false;                  // the subcommand diff
  bool stats = false;                 // the subcommand stats
  bool checkRules = false;            // the subcommand check-rules
  bool show = false;                  // the subcommand report: the input is one
  bool reduce = false;                // the subcommand reduce
  ReduceOptions reduction;            // its options
  std::vector<std::string> arguments; ///< FoldReport::arguments
  std::optional<int> confirm;         // --confirm: a descriptor
  bool check = false, quiet = false, progress = false;
  FoldOptions fold;
};

/// Parses the command line. Prints help or version and exits if requested. An
/// error is a message without the program's name. Sets the form of
/// `messages`, even if there is an error.
llvm::Expected<Options> parseOptions(int argc, char **argv, Messages &messages);

/// The output for an input: "model.folded.onnx" for "model.onnx".
std::string defaultOutput(llvm::StringRef input,
                          llvm::StringRef ending = ".folded.onnx");

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H
