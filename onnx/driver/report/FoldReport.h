//===- FoldReport.h - The outcome of every node -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The second result of foldModel: counts of operators, sizes, warnings, times,
// and, if wanted, the outcome of every node, with its operands before and
// after, and all constants. The difference of two models (DiffModels.h) has the
// same form. A report is printed as text for people, as JSON for programs
// (version 1 of the contract in docs/report.md), and, made of that JSON, as a
// page (ReportPage.h).
//
// Ownership: the report holds all of its texts, and may outlive the model.
// Thread safety: none; one report for one run.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_FOLDREPORT_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_FOLDREPORT_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/transforms/specialize/GraphCut.h"
#include "onnxfold/onnx/verify/Verify.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
} // namespace json
} // namespace llvm

namespace onnxfold {

class FoldReport {
public:
  /// A model may have a million nodes, so their texts are in one arena.
  struct Node {
    llvm::StringRef graph, name, op, domain;
    int64_t since = 0;
    llvm::ArrayRef<llvm::StringRef> outputs;
    FoldPlan::Action action = FoldPlan::Action::Kept;
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
    int64_t node = -1;      ///< of a body: the number of its node in nodes()
    llvm::ArrayRef<llvm::StringRef> inputs, outputs;
  };

  /// Nodes that are kept for one reason.
  struct KeptGroup {
    ReasonCode code = ReasonCode::None;
    int64_t nodes = 0;
    int64_t bytes = 0;   // that the limit on growth left out
    std::string remedy;  ///< what a user can do, a sentence
    std::string command; ///< the command line that does it; may be empty
    std::string option;  ///< the option that it adds; may be empty
  };

  /// Whether collect() keeps the nodes, or only counts operators. To be set
  /// before the run.
  bool wantsNodes = false;

  /// Notes the operands of the nodes of a model, before anything is changed.
  /// Those of an earlier call are forgotten. REQUIRES: the model's own
  /// operations live until collect().
  void noteInput(mlir::ModuleOp module);

  /// Notes the operators that were cut off: they are counted, but are not among
  /// the nodes.
  void noteCut(const GraphCut &cut);

  /// Notes the outcome of every node below the plan's root. `dropsFunctions`:
  /// functions that nothing calls any more are not written. REQUIRES: the plan
  /// is not applied yet.
  void collect(const Evaluation &evaluation, const FoldPlan &plan,
               const CleanUp &cleanUp, bool dropsFunctions);

  /// Takes the counts of operators in the output from `later`, the report of a
  /// second run on the output of this one.
  void noteOperatorsAfter(const FoldReport &later);

  /// Ends the step that began with the last call (or construction). The times
  /// of steps of one name are added.
  void endStep(llvm::StringRef name);

  /// Prints the report in any format, those of ReportPage.h too. Prints nothing
  /// for None.
  void print(llvm::raw_ostream &out, ReportFormat format) const;
  /// Prints JSON with `indent` spaces for each level; with 0 it is one line
  /// without a line end.
  void printJson(llvm::raw_ostream &out, unsigned indent) const;
  /// Prints the operators before and after as a table.
  void printSummary(llvm::raw_ostream &out) const;
  /// Prints a few lines: the largest gains, the largest groups of kept nodes
  /// with their remedies, and where to see more (`file`, if there is one).
  void printHighlights(llvm::raw_ostream &out, llvm::StringRef file) const;
  /// The kept nodes by reason, the largest group first, without Constant nodes.
  std::vector<KeptGroup> keptGroups() const;

  const std::deque<Node> &nodes() const { return allNodes; }
  /// Nodes of the output that the input does not have.
  const std::deque<Node> &newNodes() const { return addedNodes; }
  llvm::ArrayRef<Constant> constants() const { return allConstants; }
  llvm::ArrayRef<Graph> graphs() const { return allGraphs; }
  /// How many nodes of each operator there were and are: "Abs",
  /// "ai.onnx.ml.Scaler".
  using Counts =
      std::map<std::string, std::pair<int64_t, int64_t>, std::less<>>;
  const Counts &operators() const { return ops; }

  /// Inputs that have an initializer, which a caller may override. To be set
  /// before collect().
  llvm::StringSet<> overridable;

  /// True if the output is, or would be, another model than the input.
  bool isChanged = false;
  std::string input, output; ///< names; output: empty where none is a file
  uint64_t bytesBefore = 0, bytesAfter = 0;
  std::vector<std::string> warnings;
  std::optional<VerifyResult> verification; // of --verify

  /// --inputs, --outputs: the border of the part that is kept.
  struct Cut {
    std::vector<std::string> inputs, outputs; ///< names that were given
    size_t nodes = 0;                         ///< that the part does not need
  };
  std::optional<Cut> cut;

  /// --keep-initializer: the initializers, and the nodes kept because of them.
  struct KeptInitializers {
    std::vector<std::string> names;
    size_t nodes = 0; ///< that depend on these and on constants alone
  };
  std::optional<KeptInitializers> keptInitializers;

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

  FoldReport();
  FoldReport(const FoldReport &) = delete;
  FoldReport &operator=(const FoldReport &) = delete;

private:
  friend class ModelDiff;
  struct Tally {
    int64_t nodes = 0, bytes = 0;
    uint64_t needed = 0;  ///< the value that the remedy's option needs
    int64_t hopeless = 0; ///< nodes that no value of the option folds
    int64_t symbolic = 0; ///< nodes that compute with open dimensions
    int64_t waiting = 0;  ///< nodes that depend on overridable inputs alone
  };
  struct Step {
    std::string name;
    double seconds;
    uint64_t peak; // bytes so far; 0 where nobody asked
  };
  std::optional<Node> describe(mlir::Operation *op, const CleanUp &cleanUp);
  llvm::StringRef keep(llvm::StringRef text);
  llvm::ArrayRef<llvm::StringRef>
  keepAll(llvm::ArrayRef<llvm::StringRef> names);
  llvm::ArrayRef<llvm::StringRef> namesOf(mlir::ValueRange values);
  llvm::StringRef typeText(mlir::Type type);
  llvm::StringRef graphName(mlir::Operation *op, const MovedNodes &moved);
  void forgetIr();
  void countKept(const Node &node, mlir::Operation *op, const FoldPlan &plan,
                 const Evaluation &evaluation);
  void noteFreeInputs(mlir::Operation *root);
  void noteWaiting(const Evaluation &evaluation, const FoldPlan &plan);
  KeptGroup groupOfInputs(KeptGroup group, const Tally &tally) const;
  void noteAfter(Node &node, mlir::Operation *op, const CleanUp &cleanUp);
  void addNew(mlir::Operation *op, const CleanUp &cleanUp);
  void addConstant(mlir::Value value, llvm::StringRef graph,
                   llvm::StringRef name, const FoldPlan &plan,
                   const Evaluation &evaluation, Constant::State state);
  void collectConstant(mlir::Operation *op, const FoldPlan &plan,
                       const CleanUp &cleanUp, const Evaluation &evaluation,
                       bool isDropped);
  KeptGroup groupOf(ReasonCode code) const;
  std::string commandWith(llvm::StringRef option) const;
  void printText(llvm::raw_ostream &out) const;
  void printDifference(llvm::raw_ostream &out) const;
  void printNode(llvm::json::OStream &json, const Node &node,
                 llvm::StringRef action) const;
  void printParts(llvm::json::OStream &json) const;
  void printGroups(llvm::json::OStream &json) const;
  void collectOne(mlir::Operation *op, const FoldPlan &plan,
                  const CleanUp &cleanUp, const Evaluation &evaluation,
                  bool isDropped);

  llvm::BumpPtrAllocator arena;
  llvm::UniqueStringSaver texts{arena};
  std::deque<Node> allNodes, addedNodes;
  std::vector<Constant> allConstants;
  std::vector<Graph> allGraphs;
  /// The operands of the operations of the input, by name.
  llvm::DenseMap<mlir::Operation *, llvm::ArrayRef<llvm::StringRef>> before;
  /// The inputs and outputs of the input's graphs.
  llvm::DenseMap<mlir::Region *, Graph> graphsBefore;
  llvm::DenseMap<mlir::Region *, llvm::StringRef> graphNames;
  llvm::DenseMap<mlir::Operation *, int64_t> owners; // numbers of their nodes
  llvm::DenseMap<const char *, llvm::StringRef> keptNames;
  llvm::DenseMap<mlir::Type, llvm::StringRef> typeTexts;
  llvm::DenseSet<mlir::Value> frontier; // values that become constants
  std::map<ReasonCode, Tally> tallies;
  std::vector<std::string> freeInputs; ///< options that fix them
  /// Nodes that depend on constants and on this overridable input.
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> waiting;
  llvm::SetVector<llvm::StringRef> waitedFor;       ///< these inputs
  llvm::DenseMap<mlir::Operation *, int64_t> bytes; // of constants, by node
  /// The sources of nodes of functions whose values are passed by calls now.
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<llvm::StringRef>> sources;
  std::pair<int64_t, int64_t> &countOf(llvm::StringRef domain,
                                       llvm::StringRef op);

  Counts ops;
  std::vector<Step> steps;
  double begin, lastStep;
};

/// "folded", "removed", "changed" or "kept", as in the report.
llvm::StringRef nameOfAction(const FoldReport::Node &node);

/// The most memory that this process ever had resident, in bytes.
uint64_t peakBytes();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_FOLDREPORT_H
