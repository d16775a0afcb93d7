//===- Report.h - What became of every node ---------------------*- C++ -*-===//
//
// Collected between planning and rewriting, while the nodes still exist; then
// printed as text for people or JSON for programs (version 1 of the contract in
// docs/report.md).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_REPORT_H
#define ONNXFOLD_TOOLS_ONNXFOLD_REPORT_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUp.h"
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
}

namespace onnxfold {

class Report {
public:
  /// There is one for each node of a model, a million of them: texts are those
  /// of the context, or kept once.
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
  /// those that nothing calls then are not written. The context must outlive
  /// the report.
  void collect(const Evaluation &evaluation, const FoldPlan &plan,
               const CleanUp &cleanUp, bool dropsFunctions);

  /// Ends the step that began with the last call (or construction).
  void endStep(llvm::StringRef name);

  void printText(llvm::raw_ostream &out) const;
  void printJson(llvm::raw_ostream &out) const;
  /// Operators before and after, as a table.
  void printSummary(llvm::raw_ostream &out) const;

  std::string input, output;
  uint64_t bytesBefore = 0, bytesAfter = 0;
  std::vector<std::string> warnings;
  std::optional<VerifyResult> verification; // of --verify

  Report();

private:
  struct Step {
    std::string name;
    double seconds;
  };
  std::optional<Node> describe(mlir::Operation *op, const CleanUp &cleanUp);
  void collectOne(mlir::Operation *op, const FoldPlan &plan,
                  const CleanUp &cleanUp, bool isDropped);

  llvm::BumpPtrAllocator arena;
  llvm::UniqueStringSaver texts{arena};
  std::deque<Node> nodes;
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

#endif // ONNXFOLD_TOOLS_ONNXFOLD_REPORT_H
