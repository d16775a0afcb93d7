//===- Evaluation.h - What is known of every value --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Step one of constant propagation: walks a module top-down, bodies included,
// and records for every value its type, shape and elements as far as they are
// known, and for every operation whether all its results are constant or why
// not. The IR is not touched, unless EvaluationOptions::refinesTypes asks for
// inferred types. Large results are deferred: they cost nothing until their
// bytes are read.
//
// A kernel may run the bodies of its operation (FoldContext::runBody): each run
// fills a table of its own, which falls back on this one for what does not
// depend on the body's arguments, and is dropped afterwards.
//
//   Evaluation evaluation(module, options);
//   evaluation.run();
//   if (evaluation.isFoldable(op)) ... else evaluation.reason(op).text ...
//
// Cost: linear in the number of operations, plus what kernels compute.
// Thread safety: none; runs kernels in the calling thread, which may use the
// pool of a ParallelScope. Errors: none. The IR must not change while the table
// is in use; values in it are handles that keep their bytes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_EVALUATION_H
#define ONNXFOLD_CONSTPROP_EVALUATION_H

#include "onnxfold/constprop/EvaluationOptions.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include <memory>

namespace onnxfold {

class ModuleWalker;

class Evaluation {
public:
  Evaluation(mlir::Operation *root, EvaluationOptions options);
  ~Evaluation();

  /// Called after each operation that is not a constant, when it and its bodies
  /// are in the table. It may rewire uses, and insert operations next to this
  /// one, which it passes to add() at once.
  using Visitor = llvm::function_ref<void(mlir::Operation *)>;
  using Question = llvm::function_ref<bool(mlir::Operation *)>;

  /// Fills the table. Call once. `inferred` is called with each operation when
  /// it is in the table, before `visited` and before its users are evaluated:
  /// it may refine the results. A body that runs again and again is walked
  /// several times until it is known what holds in every iteration; `visited`
  /// sees the last walk only. `isRepeated` is called in that walk before an
  /// operation without bodies is evaluated, when its operands are in the table.
  /// It returns true if it has called setEqual() for the operation, which then
  /// is neither evaluated nor passed to `inferred`.
  void run(Visitor visited = nullptr, Visitor inferred = nullptr,
           Question isRepeated = nullptr);

  /// From now on inferred types are written into the IR
  /// (EvaluationOptions::refinesTypes). REQUIRES: before run().
  void refineTypes() { options.refinesTypes = true; }

  /// Evaluates an operation that was not there in run(). REQUIRES: its operands
  /// are in the table, or not below the root. The visitor of run() is not
  /// called for operations in its bodies.
  void add(mlir::Operation *op);

  /// Adds what is known of another value (`other`) that is equal to `value`.
  void refine(mlir::Value value, const ValueState &other);

  /// `op` computes the same as `equal`, which is in the table: the same is
  /// known of both, and they are kept for the same reason. REQUIRES: both have
  /// the same number of results, and the result types of `op` say no more than
  /// those of `equal`.
  void setEqual(mlir::Operation *op, mlir::Operation *equal);

  /// Sets what is known of `value` from now on, whatever its operation
  /// computes. If `given` is null, only the type and the shape stay known, and
  /// the elements are dropped.
  void assume(mlir::Value value, FoldedValue given);

  /// Sets the results of `op`, which was just evaluated. The operation folds if
  /// every used result has a value. REQUIRES: `result` has values.
  void giveResults(mlir::Operation *op, const FoldResult &result);

  /// Sets the types of the results of `op`, which was just evaluated. What they
  /// contradict in the IR is noted and replaced, as what inference contradicts
  /// is (EvaluationOptions::noteTypeConflict).
  void giveTypes(mlir::Operation *op, llvm::ArrayRef<ValueState> types);

  /// `op` is about to be erased: its entries are dropped, with the bytes of its
  /// results. A new operation at its address is not in the table.
  void forget(mlir::Operation *op);

  /// REQUIRES: the value existed in run(), or its operation was added.
  const ValueState &state(mlir::Value value) const;

  /// The elements of a value as a constant holds them, rounded to their type.
  /// With EvaluationOptions::cache, elements that are worth it are taken from
  /// the cache, or computed and kept there. REQUIRES: as state(), and the value
  /// is constant.
  Elements valueForConstant(mlir::Value value);

  /// True if the operation is below the root and existed in run().
  bool has(mlir::Operation *op) const;

  /// True if the operation only holds a constant (an initializer, a Constant
  /// node).
  bool isConstant(mlir::Operation *op) const;

  /// All results that have users are known, and constants may replace them.
  bool isFoldable(mlir::Operation *op) const;
  /// Why the operation is kept; code None if it is foldable or a constant.
  const Reason &reason(mlir::Operation *op) const;
  /// False if no operation is kept for this reason.
  bool mayBeKept(ReasonCode code) const;

  /// True if neither --only nor --skip forbids changing the operation.
  bool mayChange(mlir::Operation *op) const {
    return !options.filter || !options.filter(op);
  }

  /// True if the operation is foldable, or all its results are known although
  /// no constant can hold them. Its body does not matter then.
  bool isAllKnown(mlir::Operation *op) const {
    return isFoldable(op) || reason(op).code == ReasonCode::NoTensor;
  }

  /// True if `op` is in the body of a loop, and less is known of the loop's
  /// arguments than in the first iteration. After a change in the body another
  /// evaluation may find more.
  bool mayLearn(mlir::Operation *op) const;

  mlir::Operation *root() const { return rootOp; }
  /// The functions that may be called, as they were at the first call of this
  /// member; null if there are none.
  const mlir::SymbolTable *functions() const;
  const EvaluationOptions &evaluationOptions() const { return options; }
  DimExprs &exprs();
  const DimExprs &exprs() const;

private:
  mlir::Operation *rootOp;
  EvaluationOptions options;
  mutable std::unique_ptr<mlir::SymbolTable> ownFunctions; ///< when asked for
  std::unique_ptr<ModuleWalker> walker;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_EVALUATION_H
