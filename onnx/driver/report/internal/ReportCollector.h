//===- ReportCollector.h - A report of evaluation and plan ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Fills the part of a report that says what became of the nodes:
//
//   ReportCollector collector(report);
//   collector.noteInput(module);             // before anything is changed
//   ...                                      // evaluation, clean-ups, plan
//   collector.collect(evaluation, plan, cleanUp, dropsFunctions);
//   plan.apply();
//
// Where FoldReport::wantsNodes is false, it only counts. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REPORTCOLLECTOR_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REPORTCOLLECTOR_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/driver/report/internal/ReportTexts.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/transforms/specialize/GraphCut.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

class ReportCollector {
public:
  /// The report must outlive it.
  explicit ReportCollector(FoldReport &report)
      : report(report), texts(report) {}

  /// An input that has an initializer, which a caller may override. To be
  /// called before collect().
  void noteOverridable(llvm::StringRef input) { overridable.insert(input); }

  /// Notes the operators that were cut off: they are counted, but are not among
  /// the nodes.
  void noteCut(const GraphCut &cut);

  /// Notes the operands of the nodes of a model, before anything is changed.
  /// Those of an earlier call are forgotten. REQUIRES: the model's own
  /// operations live until collect().
  void noteInput(mlir::ModuleOp module);

  /// Notes the outcome of every node below the plan's root. `dropsFunctions`:
  /// functions that nothing calls any more are not written. REQUIRES: the plan
  /// is not applied yet; called once.
  void collect(const Evaluation &evaluation, const FoldPlan &plan,
               const CleanUp &cleanUp, bool dropsFunctions);

private:
  using Node = FoldReport::Node;
  using Constant = FoldReport::Constant;
  using Graph = FoldReport::Graph;

  std::optional<Node> describe(mlir::Operation *op, const CleanUp &cleanUp);
  llvm::StringRef typeText(mlir::Type type);
  llvm::StringRef graphName(mlir::Operation *op, const MovedNodes &moved);
  std::pair<int64_t, int64_t> &countOf(llvm::StringRef domain,
                                       llvm::StringRef op);
  void forgetIr();
  void countKept(const Node &node, mlir::Operation *op, const FoldPlan &plan,
                 const Evaluation &evaluation);
  void noteFreeInputs(mlir::Operation *root);
  void noteWaiting(const Evaluation &evaluation, const FoldPlan &plan);
  void noteAfter(Node &node, mlir::Operation *op, const CleanUp &cleanUp);
  void addNew(mlir::Operation *op, const CleanUp &cleanUp);
  void addConstant(mlir::Value value, llvm::StringRef graph,
                   llvm::StringRef name, const FoldPlan &plan,
                   const Evaluation &evaluation, Constant::State state);
  void collectConstant(mlir::Operation *op, const FoldPlan &plan,
                       const CleanUp &cleanUp, const Evaluation &evaluation,
                       bool isDropped);
  void collectOne(mlir::Operation *op, const FoldPlan &plan,
                  const CleanUp &cleanUp, const Evaluation &evaluation,
                  bool isDropped);

  FoldReport &report;
  ReportTexts texts;
  llvm::StringSet<> overridable;
  /// The operands of the operations of the input, by name.
  llvm::DenseMap<mlir::Operation *, llvm::ArrayRef<llvm::StringRef>> before;
  /// The inputs and outputs of the input's graphs.
  llvm::DenseMap<mlir::Region *, Graph> graphsBefore;
  llvm::DenseMap<mlir::Region *, llvm::StringRef> graphNames;
  llvm::DenseMap<mlir::Operation *, int64_t> owners; // numbers of their nodes
  llvm::DenseMap<mlir::Type, llvm::StringRef> typeTexts;
  llvm::DenseSet<mlir::Value> frontier; // values that become constants
  /// Nodes that depend on constants and on this overridable input.
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> waiting;
  llvm::DenseMap<mlir::Operation *, int64_t> bytes; // of constants, by node
  /// The sources of nodes of functions whose values are passed by calls now.
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<llvm::StringRef>> sources;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REPORTCOLLECTOR_H
