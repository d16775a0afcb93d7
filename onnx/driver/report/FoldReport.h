//===- FoldReport.h - The outcome of every node -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The second result of foldModel, as plain data: counts of operators, sizes,
// warnings, times, and, if wanted, the outcome of every node, with its operands
// before and after, and all constants. The difference of two models
// (DiffModels.h) has the same form. ReportPrinters.h prints it.
//
// Ownership: the report holds all of its texts, and may outlive the model.
// Thread safety: none; one report for one run.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_FOLDREPORT_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_FOLDREPORT_H

#include "onnxfold/constprop/Reason.h"
#include "onnxfold/constprop/plan/FoldAction.h"
#include "onnxfold/onnx/verify/VerifyResult.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
} // namespace json
} // namespace llvm

namespace onnxfold {

/// What one step tells, as a member of the JSON and as lines of the summary. It
/// stands in the source of the step, and no printer has to know of it:
///
///   struct CompactedSection : ReportSection {
///     static constexpr llvm::StringLiteral key = "compacted";
///     ...
///   };
///   report.section<CompactedSection>().constants.push_back(...);
struct ReportSection {
  virtual ~ReportSection() = default;
  /// Writes the value of the member.
  virtual void printJson(llvm::json::OStream &json) const = 0;
  virtual void printSummary(llvm::raw_ostream &out) const = 0;
};

struct FoldReport {
  /// A model may have a million nodes, so their texts are in one arena.
  struct Node {
    llvm::StringRef graph, name, op, domain;
    int64_t since = 0;
    llvm::ArrayRef<llvm::StringRef> outputs;
    FoldAction action = FoldAction::Kept;
    /// True if the node is kept and reads other values than before, or if it is
    /// replaced by a new node.
    bool isChanged = false;
    ReasonCode code = ReasonCode::None;
    llvm::StringRef reason;
    int64_t bytes = 0; // of the constants that replace it
    /// The constants from which those were computed, see CleanUp::sourcesOf.
    llvm::ArrayRef<llvm::StringRef> sources;
    /// Names of its operands in the input model, "" for absent ones.
    llvm::ArrayRef<llvm::StringRef> inputs;
    /// If the node is kept: its inputs and outputs in the output model, where
    /// they differ.
    std::optional<llvm::ArrayRef<llvm::StringRef>> inputsAfter, outputsAfter;
    int64_t bytesLeftOut = 0; // of its results, over the limit on growth
  };

  /// An initializer, or the value of a Constant node or of a folded node.
  struct Constant {
    enum class State { Kept, Removed, Added, Changed };
    llvm::StringRef graph, name, type; ///< type: as in tensor<2xf32>, "f32"
    llvm::ArrayRef<int64_t> shape;
    int64_t bytes = 0; // in the file
    State state = State::Kept;
    // For two models: how the values differ, and the name in the second model
    // if it is another one.
    llvm::StringRef difference, nameAfter;
  };

  /// A graph: the main graph, a function, or a body.
  struct Graph {
    llvm::StringRef name;   ///< as Node::graph
    llvm::StringRef domain; ///< of a function
    llvm::StringRef title;  ///< of the main graph, its name in the model
    int64_t node = -1;      ///< of a body: the number of its node in `nodes`
    llvm::ArrayRef<llvm::StringRef> inputs, outputs;
  };

  /// The kept nodes of one reason, without Constant nodes.
  struct KeptNodes {
    int64_t nodes = 0;
    int64_t bytes = 0;    ///< that the limit on growth left out
    uint64_t needed = 0;  ///< the value that the option of a remedy needs
    int64_t hopeless = 0; ///< nodes that no value of the option folds
    int64_t symbolic = 0; ///< nodes that compute with open dimensions
    int64_t waiting = 0;  ///< nodes that depend on overridable inputs alone
  };

  struct Step {
    std::string name;
    double seconds = 0;
    uint64_t peak = 0; ///< bytes so far; 0 where nobody asked
  };

  /// Whether the nodes are listed, or only their operators counted. To be set
  /// before the run.
  bool wantsNodes = false;

  std::deque<Node> nodes;
  std::deque<Node> newNodes; ///< of the output, that the input does not have
  std::vector<Constant> constants;
  std::vector<Graph> graphs;
  /// How many nodes of each operator there were and are: "Abs",
  /// "ai.onnx.ml.Scaler".
  std::map<std::string, std::pair<int64_t, int64_t>, std::less<>> operators;
  std::map<ReasonCode, KeptNodes> kept;
  /// Options that would fix the open dimensions of inputs: "--dim", "batch:1".
  std::vector<std::pair<std::string, std::string>> freeInputs;
  /// Inputs with an initializer for which nodes wait (KeptNodes::waiting).
  std::vector<std::string> waitedFor;
  std::vector<Step> steps; ///< steps of one name are one
  double seconds = 0;      ///< of all steps

  /// True if the output is, or would be, another model than the input.
  bool isChanged = false;
  std::string input, output; ///< names; output: empty where none is a file
  uint64_t bytesBefore = 0, bytesAfter = 0;
  std::vector<std::string> warnings;
  std::optional<VerifyResult> verification; // of --verify

  /// At level 1: the BatchNormalization nodes that level 2 would fuse.
  size_t fusableBatchNorms = 0;

  /// --inputs, --outputs: the border of the part that is kept.
  struct Cut {
    std::vector<std::string> inputs, outputs; ///< names that were given
    size_t nodes = 0;                         ///< that the part does not need
  };
  std::optional<Cut> cut;

  /// The sections of single steps by Section::key, in the order of the steps.
  std::vector<std::pair<llvm::StringRef, std::unique_ptr<ReportSection>>>
      sections;

  /// The section of a step; null where it has none yet.
  template <class Section> Section *findSection() {
    for (auto &[key, section] : sections)
      if (key == Section::key)
        return static_cast<Section *>(section.get());
    return nullptr;
  }
  /// The same, made if there is none.
  template <class Section> Section &section() {
    if (Section *found = findSection<Section>())
      return *found;
    sections.emplace_back(Section::key, std::make_unique<Section>());
    return static_cast<Section &>(*sections.back().second);
  }

  /// --run-once: what the once model computes for the other one.
  struct RunOnceSplit {
    std::string file;                         ///< empty where none was written
    std::vector<std::string> inputs, results; ///< names
    size_t nodes = 0; ///< that are in the once model only
  };
  std::optional<RunOnceSplit> runOnce;

  /// --cache: counts of the values that were looked up there.
  struct CacheCounts {
    int64_t found = 0, bytesFound = 0; ///< taken from the cache
    int64_t computed = 0;              ///< not found
    int64_t kept = 0, bytesKept = 0;   ///< computed, and in the cache now
    int64_t damaged = 0;               ///< files that were ignored
    int64_t erased = 0;                ///< files, because of the limit
  };
  struct Cache {
    std::string folder;
    CacheCounts counts;
  };
  std::optional<Cache> cache;

  /// The budget of --max-growth and the growth, in bytes.
  struct Growth {
    std::optional<int64_t> limit; ///< nothing: none
    int64_t added = 0;            ///< by this run; negative if it shrank
  };
  Growth growth;
  /// The command line without the program and without the options of the
  /// report. The commands of remedies repeat it.
  std::vector<std::string> arguments;

  /// --diff: `input` and `output` are the two models.
  struct Difference {
    int64_t same = 0, renamed = 0, changed = 0, onlyBefore = 0, onlyAfter = 0;
    int64_t constantsSame = 0;
    /// Differences of the models themselves: opsets, inputs, outputs.
    std::vector<std::string> models;
  };
  std::optional<Difference> difference;

  FoldReport() = default;
  FoldReport(const FoldReport &) = delete;
  FoldReport &operator=(const FoldReport &) = delete;

  /// The memory that the texts and lists above refer to.
  llvm::BumpPtrAllocator arena;
  llvm::UniqueStringSaver texts{arena};
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_FOLDREPORT_H
