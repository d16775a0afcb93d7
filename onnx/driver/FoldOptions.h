//===- FoldOptions.h - What a user may ask of foldModel ---------*- C++ -*-===//
//
// The options of one run of foldModel (FoldModel.h). Each corresponds to the
// flag of the tool that is named beside it; docs/reference.md describes the
// flags. The defaults are those of the tool.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLDOPTIONS_H
#define ONNXFOLD_ONNX_DRIVER_FOLDOPTIONS_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/driver/prepare/FixedInputs.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/onnx/transforms/specialize/GraphCut.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

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
  CutNames cut; ///< --inputs, --outputs: the part of the model that is folded

  // What is computed.
  int level = 1;                          ///< -O: 0, 1 or 2
  Precision precision = Precision::Exact; ///< --precision
  FoldQuantization quantization =
      FoldQuantization::Compute; ///< --fold-quantization
  GrowthLimit maxGrowth;         ///< --max-growth
  FoldLimits limits;             ///< --max-result, --max-work, --max-trip-count
  /// --max-time: after this many seconds nothing more is computed.
  std::optional<double> maxSeconds = std::nullopt;
  /// --max-memory: an operation that would need more bytes is not computed.
  std::optional<uint64_t> maxMemory = std::nullopt;
  uint64_t mostUnrolled = 0;  ///< --unroll: iterations of one loop
  llvm::StringSet<> disabled; ///< --disable: names of clean-ups (CleanUp.h)
  std::vector<std::string> only, skip; ///< --only, --skip (NodeFilter.h)
  FixedInputs fixed;                   ///< --input-shape, --dim, --bind
  /// --schemas: files that describe operators outside the standard: JSON
  /// (OperatorSchemas.h), or models whose functions compute them.
  std::vector<std::string> schemas;
  /// --keep-initializer: patterns of names of initializers that a caller may
  /// replace (HeldInitializers.h).
  std::vector<std::string> keepInitializers;
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

  // What is written.
  OutputFormat format = OutputFormat::Onnx; ///< --emit
  /// --target-opset: the opset of ai.onnx after folding. 0: it is not changed.
  int64_t targetOpset = 0;
  bool shapes = false;     ///< --shapes: value_info of all values
  bool provenance = false; ///< --provenance
  DataPlacement placement = DataPlacement::Keep; ///< --external-data, ...
  /// The name of a new data file, relative to the output's folder. Empty: the
  /// name of the output with `.data` appended.
  std::string dataFile;
  DataLayout dataLayout; ///< --external-data: shard, threshold and align
  /// --in-place: the output is the file of the input.
  bool inPlace = false;
  std::vector<std::string> dataRoots; ///< --data-root
  bool sync = false;                  ///< --sync
  /// --folder: the folder with the external data of a model on standard input.
  /// A result on standard output refers to data files in that folder, too.
  std::string streamFolder;

  // Verification and report.
  bool strict = false;       ///< --strict
  unsigned verifyTrials = 0; ///< --verify; 0: nothing is compared
  /// --verify-inputs: the file or folder with the inputs of the comparison;
  /// empty: random values.
  std::string verifyInputs;
  /// None: the report counts operators, else it lists every node.
  ReportFormat report = ReportFormat::None;
  std::string reportFile; ///< the file of the report; empty: it is not written
  bool counts = true;     ///< false: the report has not even the operators

  // How it runs.
  /// --cache: a folder of results of earlier runs; empty: none.
  std::string cacheFolder;
  uint64_t cacheBytes = uint64_t(10) << 30; ///< --cache-size: of its files
  unsigned threads = 0; ///< --threads; 0: as many as the machine has

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
