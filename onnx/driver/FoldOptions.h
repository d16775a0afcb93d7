//===- FoldOptions.h - What a user may ask of foldModel ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The options of one run of foldModel (FoldModel.h). Each corresponds to the
// flag of the tool that is named beside it; docs/reference.md describes the
// flags. Most members, and the defaults, are those of the table of options
// (options/Options.td).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLDOPTIONS_H
#define ONNXFOLD_ONNX_DRIVER_FOLDOPTIONS_H

#include "onnxfold/constprop/FoldLimits.h"
#include "onnxfold/constprop/Precision.h"
#include "onnxfold/onnx/driver/prepare/FixedInputs.h"
#include "onnxfold/onnx/folding/FoldQuantization.h"
#include "onnxfold/onnx/io/write/DataPlacement.h"
#include "onnxfold/onnx/transforms/specialize/CutNames.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace onnxfold {

enum class OutputFormat { Onnx, Mlir };
enum class ReportFormat { None, Text, Json, Html, ModelExplorer };

/// Bytes that a model may grow by: a number, a part of the input, or no limit.
struct GrowthLimit {
  enum class Kind { Default, Bytes, Percent, Unlimited };
  Kind kind = Kind::Default;
  double amount = 0;

  /// The limit in bytes for a model of that size; nothing = unlimited.
  std::optional<int64_t> bytesFor(uint64_t modelBytes) const;
};

struct FoldOptions {
  // The options that are a value of their own; each is declared in
  // options/Options.td, with its type and its default.
#include "onnxfold/options/FoldMembers.inc"

  CutNames cut;      ///< --inputs, --outputs: the part that is folded
  FoldLimits limits; ///< --max-result, --max-work, --max-trip-count
  FixedInputs fixed; ///< --input-shape, --dim, --bind
  /// --run-once: the result is two models (RunOnce.h). The once model computes
  /// what depends only on constants and on inputs and initializers whose names
  /// match a pattern, or, if `leftOut`, what the growth budget leaves unfolded.
  struct RunOnceOptions {
    std::vector<std::string> names;
    bool leftOut = false;
    /// The file of the once model; empty: onceFileFor(output).
    std::string file;
    bool isGiven() const { return leftOut || !names.empty(); }
  };
  RunOnceOptions runOnce;

  DataPlacement placement = DataPlacement::Keep; ///< --external-data, ...
  /// The name of a new data file, relative to the output's folder. Empty: the
  /// name of the output with `.data` appended.
  std::string dataFile;
  DataLayout dataLayout; ///< --external-data: shard, threshold and align

  unsigned verifyTrials = 0; ///< --verify; 0: nothing is compared
  /// --verify-inputs: the file or folder with the inputs of the comparison;
  /// empty: random values.
  std::string verifyInputs;
  /// None: the report counts operators, else it lists every node.
  ReportFormat report = ReportFormat::None;
  /// The folder of proofs of rules by their hash (--rules); empty: none.
  std::string proofFolder;
  std::string reportFile; ///< the file of the report; empty: it is not written
  bool counts = true;     ///< false: the report has not even the operators

  /// True if only some nodes may change.
  bool isFiltered() const { return !only.empty() || !skip.empty(); }
};

/// The default file of the once model of an output: `model.once.onnx` for
/// `model.folded.onnx` and for `model.onnx`.
std::string onceFileFor(llvm::StringRef output);

/// Checks each option by itself: what is wrong whatever the others are.
llvm::Error checkValues(const FoldOptions &options);

/// Checks the options, and which are given together. An error names the tool's
/// flags.
llvm::Error checkOptions(const FoldOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLDOPTIONS_H
