//===- Evaluator.h - Evaluates one operation --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds types, shapes and values of the results of an operation from those of
// its operands, and whether the operation folds or why not. Its dialect infers
// types, and a kernel computes values. Regions are walked by ModuleWalker and
// run by BodyRunner.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_EVALUATOR_H
#define ONNXFOLD_CONSTPROP_INTERNAL_EVALUATOR_H

#include "onnxfold/constprop/internal/BodyRunner.h"

namespace onnxfold {

/// Tensors of symbols are made of shapes: with more elements they are no longer
/// worth their memory, some hundred bytes an element.
constexpr int64_t mostSymbols = 4096;

class Evaluator {
public:
  /// Both must outlive the evaluator.
  Evaluator(const EvaluationOptions &options, const BodyRunner &bodies)
      : options(options), bodies(bodies) {}

  /// Fills the table for the results of `op`, which is no constant. Returns
  /// code None if it folds, else why not. REQUIRES: the regions of `op` that
  /// are to be walked were walked.
  Reason evaluate(mlir::Operation *op, const Walk &walk) const;

  /// Records the results of `op`, unless one contradicts what was inferred.
  /// Returns the same as evaluate().
  Reason record(mlir::Operation *op, const FoldResult &result,
                ValueTable &values, bool isTrial = false) const;

private:
  void inferTypes(mlir::Operation *op,
                  llvm::ArrayRef<const ValueState *> operands,
                  llvm::MutableArrayRef<ValueState> results,
                  const Walk &walk) const;
  std::optional<FoldResult> runCall(mlir::Operation *op,
                                    llvm::ArrayRef<ValueState *> inputs,
                                    const Walk &walk) const;
  Reason runKernel(mlir::Operation *op, const Kernel &kernel, int version,
                   llvm::ArrayRef<ValueState *> inputs,
                   llvm::ArrayRef<ValueState *> results,
                   const Walk &walk) const;
  Reason checkFilter(mlir::Operation *op, const Walk &walk) const;
  std::vector<RecipeRef> findRecipes(const CachedOperation &operation,
                                     FoldResult &result, double work,
                                     ValueTable &values) const;
  Reason checkUsed(mlir::Operation *op, const Walk &walk) const;
  void refineByValues(mlir::Operation *op, const Walk &walk) const;
  void distrustShape(mlir::Value value, const Elements &computed,
                     ValueTable &values, bool isTrial) const;
  FoldingInterface::NoteConflict noteOfConflicts() const;

  const EvaluationOptions &options;
  const BodyRunner &bodies;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_EVALUATOR_H
