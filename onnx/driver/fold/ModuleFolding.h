//===- ModuleFolding.h - What foldModel does with the IR --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of foldModel that knows no files, for callers that have a module of
// the onnx dialect. It evaluates and cleans up in turn until no more values
// become known, and then plans.
//
//   ModuleFolding folding(module, {.level = 2});
//   if (llvm::Error error = folding.run())
//     return error;
//   folding.plan().apply();
//
// Thread safety: none; kernels use the pool of a ParallelScope. Errors: the
// clean-ups do not terminate, or `isCancelled` returns true. The module is
// correct then, and partly cleaned up.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_MODULEFOLDING_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_MODULEFOLDING_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include <deque>

namespace onnxfold {

struct ModuleFoldingOptions {
  int level = 1;
  llvm::StringSet<> disabled; ///< names of clean-ups and rules
  /// The patterns of --rules, which must live as long; or null.
  const std::deque<CleanUpPattern> *rules = nullptr;
  uint64_t mostUnrolled = 0;
  /// Globs: calls of functions that match are inlined.
  std::vector<std::string> inlineFunctions;
  /// The bytes that constants may gain; nothing = unlimited.
  std::optional<int64_t> budget;
  /// Nodes that read quantised constants fold; the constants are kept quantised
  /// where nodes that are kept read them (FoldQuantization::Compute).
  bool computesQuantized = false;
  /// Nodes that make large tensors of small ones are kept, as what depends on
  /// quantised constants is (isCompactOperator).
  bool keepsCompactNodes = false;
  /// Functions that nothing calls will not be written. They need not be correct
  /// after the run.
  bool dropsIdleFunctions = false;
  /// Something that is not in the module calls its functions.
  bool hasOtherCalls = false;
  /// Initializers and Constant nodes without users are kept.
  bool keepsConstants = false;
  /// Initializers that keep their names (CleanUp::keepNames).
  llvm::StringSet<> keptNames;
  EvaluationOptions evaluation = onnxEvaluationOptions();
  /// Called before each operation; see FoldCallbacks::isCancelled. May be
  /// empty.
  std::function<bool()> isCancelled;
};

class ModuleFolding {
public:
  /// REQUIRES: addOnnxFolding was called on the context of `root`.
  ModuleFolding(mlir::Operation *root, ModuleFoldingOptions options);
  ~ModuleFolding();

  /// Evaluates and cleans up until nothing changes. Call once.
  llvm::Error run();

  // REQUIRES: run() succeeded.

  /// The plan within the budget.
  FoldPlan &plan();
  /// Rewrites the module by the plan.
  void applyPlan();
  /// True if applying the plan changes something, or if the clean-ups did.
  bool changesAnything();
  const Evaluation &evaluation() const { return *table; }
  CleanUp &cleanUp() { return cleaning; }
  const CleanUp &cleanUp() const { return cleaning; }

  /// Frees evaluation() and plan(), which only folding needs. The writer needs
  /// cleanUp().
  void releaseTables() {
    folded.reset();
    table.reset();
  }

private:
  void computeQuantized();
  std::vector<FoldPlan::Compact> compactOperations() const;

  mlir::Operation *root;
  ModuleFoldingOptions options;
  CleanUp cleaning;
  std::optional<Evaluation> table;
  std::unique_ptr<FoldPlan> folded;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_MODULEFOLDING_H
