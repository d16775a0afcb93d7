//===- Options.h - The command line of onnx-fold ----------------*- C++ -*-===//
//
// What the user asked for, checked. docs/reference.md describes every flag.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H

#include "FixedInputs.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/io/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

enum class Emit { Onnx, Mlir };
enum class ReportFormat { None, Text, Json };

/// --max-growth: bytes, or parts of the input, or neither (unlimited).
struct GrowthLimit {
  enum class Kind { Default, Bytes, Percent, Unlimited };
  Kind kind = Kind::Default;
  double amount = 0;

  /// In bytes, for a model of that size; nothing = unlimited.
  std::optional<int64_t> bytesFor(uint64_t modelBytes) const;
};

struct Options {
  std::string input;  // "-": standard input
  std::string output; // "-": standard output
  unsigned level = 1; // -O
  Emit emit = Emit::Onnx;
  ReportFormat report = ReportFormat::None;
  std::string reportFile; // empty: standard error
  bool check = false, quiet = false, progress = false;
  bool provenance = false;
  bool shapes = false; // write value_info of all values
  bool strict = false;
  bool sync = false; // outputs are on the disk at the end
  FixedInputs fixed;
  std::vector<std::string> only, skip;
  llvm::StringSet<> disabled; // clean-ups (CleanUp.h)
  FoldQuantization quantization = FoldQuantization::None;
  DataPlacement placement = DataPlacement::Keep;
  std::string dataFile; // of new external data, relative to the output
  std::vector<std::string> dataRoots;
  GrowthLimit maxGrowth;
  FoldLimits limits;
  uint64_t mostUnrolled = 0; // iterations of one loop
  Precision precision = Precision::Exact;
  unsigned threads = 0; // 0: as many as the machine has
  unsigned verifyTrials = 0;
};

/// Parses the command line. Prints help or version and exits where asked to;
/// an error is a message without the program's name.
llvm::Expected<Options> parseOptions(int argc, char **argv);

/// "model.onnx" -> "model.folded.onnx".
std::string defaultOutput(llvm::StringRef input);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_OPTIONS_H
