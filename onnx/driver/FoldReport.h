//===- FoldReport.h - The outcome of every node -----------------*- C++ -*-===//
//
// What foldModel says of a run beside the model: counts of operators, sizes,
// warnings, times, and, if wanted, the outcome of every node. Printed as text
// for people or JSON for programs (version 1 of the contract in
// docs/report.md).
//
// Ownership: it holds all of its texts; the model may be gone.
// Thread safety: none; one report for one run.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLDREPORT_H
#define ONNXFOLD_ONNX_DRIVER_FOLDREPORT_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/verify/Verify.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
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
}
} // namespace llvm

namespace onnxfold {

class FoldReport {
public:
  /// There is one for each node of a model, a million of them: texts stand in
  /// one arena.
  struct Node {
    llvm::StringRef graph, name, op, domain;
    int64_t since = 0;
    llvm::ArrayRef<llvm::StringRef> outputs;
    FoldPlan::Action action = FoldPlan::Action::Kept;
    /// Kept, and reads other values than it did; or replaced by a new one.
    bool isChanged = false;
    ReasonCode code = ReasonCode::None;
    llvm::StringRef reason;
    int64_t bytes = 0; // that constants in its place take
    /// The constants that those were computed from, see CleanUp::sourcesOf.
    llvm::ArrayRef<llvm::StringRef> sources;
  };

  /// Whether collect() keeps the nodes, or only counts operators. Set before.
  bool wantsNodes = false;

  /// Notes the outcome of every node below the plan's root. `dropsFunctions`:
  /// those that nothing calls then are not written. REQUIRES: the plan is not
  /// applied yet.
  void collect(const Evaluation &evaluation, const FoldPlan &plan,
               const CleanUp &cleanUp, bool dropsFunctions);

  /// Ends the step that began with the last call (or construction).
  void endStep(llvm::StringRef name);

  /// Nothing for None.
  void print(llvm::raw_ostream &out, ReportFormat format) const;
  /// `indent` spaces for each level; with 0 it is one line, without its end.
  void printJson(llvm::raw_ostream &out, unsigned indent) const;
  /// Operators before and after, as a table.
  void printSummary(llvm::raw_ostream &out) const;

  const std::deque<Node> &nodes() const { return allNodes; }
  /// How many nodes of each operator there were and are: "Abs",
  /// "ai.onnx.ml.Scaler".
  const std::map<std::string, std::pair<int64_t, int64_t>> &operators() const {
    return ops;
  }

  /// The output is, or would be, another model than the input.
  bool isChanged = false;
  std::string input, output; ///< names; output: empty where none is a file
  uint64_t bytesBefore = 0, bytesAfter = 0;
  std::vector<std::string> warnings;
  std::optional<VerifyResult> verification; // of --verify

  /// --run-once: what the once model computes for the other one.
  struct RunOnceSplit {
    std::string file;                         ///< empty where none was written
    std::vector<std::string> inputs, results; ///< names
    size_t nodes = 0; ///< that are in the once model only
  };
  std::optional<RunOnceSplit> runOnce;

  FoldReport();
  FoldReport(const FoldReport &) = delete;
  FoldReport &operator=(const FoldReport &) = delete;

private:
  struct Step {
    std::string name;
    double seconds;
  };
  std::optional<Node> describe(mlir::Operation *op, const CleanUp &cleanUp);
  llvm::StringRef keep(llvm::StringRef text);
  void printText(llvm::raw_ostream &out) const;
  void printNode(llvm::json::OStream &json, const Node &node) const;
  void collectOne(mlir::Operation *op, const FoldPlan &plan,
                  const CleanUp &cleanUp, bool isDropped);

  llvm::BumpPtrAllocator arena;
  llvm::UniqueStringSaver texts{arena};
  std::deque<Node> allNodes;
  llvm::DenseMap<mlir::Operation *, int64_t> bytes; // of constants, by node
  /// Of the nodes of functions whose values calls pass now.
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<llvm::StringRef>> sources;
  std::map<std::string, std::pair<int64_t, int64_t>> ops; // before, after
  std::vector<Step> steps;
  double begin, lastStep;
};

/// The most memory that this process ever had resident, in bytes.
uint64_t peakBytes();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLDREPORT_H
