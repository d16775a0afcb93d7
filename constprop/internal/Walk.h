//===- Walk.h - One walk over operations ------------------------*- C++ -*-===//
//
// What the parts of the engine hand to each other: which table a walk fills,
// under which limits, and who is told. A walk of a body that is run, of a
// function that is called, and a trial walk of a loop's body are walks of their
// own with a Walk of their own; nothing is set back when they end.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_WALK_H
#define ONNXFOLD_CONSTPROP_INTERNAL_WALK_H

#include "onnxfold/constprop/internal/LoopSolver.h"
#include "onnxfold/constprop/internal/ValueTable.h"

namespace onnxfold {

struct Walk {
  using Visitor = llvm::function_ref<void(mlir::Operation *)>;
  using Question = llvm::function_ref<bool(mlir::Operation *)>;

  ValueTable &values;
  LoopSolver &loops; // of the table
  FoldLimits limits;
  /// Null: limits are those of each operation.
  UsedLimits *used = nullptr;
  /// Of bodies and calls in each other.
  unsigned depth = 0;
  /// Of a loop's body, to find out what holds: the IR does not learn of it, nor
  /// does the table what becomes of operations.
  bool isTrial = false;
  /// Told of operations that are in the table, see Evaluation::run.
  Visitor visited = nullptr, inferred = nullptr;
  /// Asked before an operation without bodies is evaluated, see the same.
  Question isRepeated = nullptr;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_WALK_H
