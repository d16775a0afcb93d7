//===- ModuleFolding.h - What foldModel does with the IR --------*- C++ -*-===//
//
// The part of foldModel that knows no file, for whoever has a module of the
// onnx dialect: evaluation and clean-ups in turn until nothing more becomes
// known, then the plan.
//
//   ModuleFolding folding(module, {.level = 2});
//   if (llvm::Error error = folding.run())
//     return error;
//   folding.plan().apply();
//
// Thread safety: none; kernels use the pool of a ParallelScope. Errors: the
// clean-ups did not terminate, or `isCancelled`; the module is correct then,
// and partly cleaned up.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_MODULEFOLDING_H
#define ONNXFOLD_ONNX_DRIVER_MODULEFOLDING_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"

namespace onnxfold {

struct ModuleFoldingOptions {
  int level = 1;
  llvm::StringSet<> disabled; ///< names of clean-ups
  uint64_t mostUnrolled = 0;
  /// Bytes that constants may gain; nothing: any number.
  std::optional<int64_t> budget;
  /// Nodes that read quantised constants fold; the constants are kept quantised
  /// where nodes that are kept read them (FoldQuantization::Compute).
  bool computesQuantized = false;
  /// Functions that nothing calls will not be written: they need not be right.
  bool dropsIdleFunctions = false;
  /// Initializers and Constant nodes without users are kept.
  bool keepsConstants = false;
  EvaluationOptions evaluation = onnxEvaluationOptions();
  /// Asked before each operation; see FoldCallbacks::isCancelled. May be empty.
  std::function<bool()> isCancelled;
};

class ModuleFolding {
public:
  /// REQUIRES: addOnnxFolding was called on the context of `root`.
  ModuleFolding(mlir::Operation *root, ModuleFoldingOptions options);
  ~ModuleFolding();

  /// Evaluates and cleans up, to the end. Call once.
  llvm::Error run();

  // REQUIRES: run() succeeded.

  /// What folds within the budget; apply() rewrites the module.
  FoldPlan &plan();
  /// Applying the plan changes something, or the clean-ups did.
  bool changesAnything();
  const Evaluation &evaluation() const { return *table; }
  CleanUp &cleanUp() { return cleaning; }
  const CleanUp &cleanUp() const { return cleaning; }

  /// Frees what only folding needs: evaluation() and plan() are freed,
  /// cleanUp() is there for the writer.
  void releaseTables() {
    folded.reset();
    table.reset();
  }

private:
  void computeQuantized();

  mlir::Operation *root;
  ModuleFoldingOptions options;
  CleanUp cleaning;
  std::optional<Evaluation> table;
  std::unique_ptr<FoldPlan> folded;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_MODULEFOLDING_H
