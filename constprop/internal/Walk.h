//===- Walk.h - One walk over operations ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The context that the parts of the engine pass to each other: the table that a
// walk fills, its limits, and its visitors. A body that is run, a function that
// is called, and a trial walk of a loop's body have a Walk of their own, so
// that nothing has to be restored when they end.
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
  /// The counter of work. If it is null, the limits are those of each
  /// operation.
  UsedLimits *used = nullptr;
  /// How many bodies and calls are nested around the operations.
  unsigned depth = 0;
  /// True for a walk of a loop's body that only tests assumptions. Types in the
  /// IR do not change then, and no outcomes of operations are recorded.
  bool isTrial = false;
  /// Called with operations that are in the table, see Evaluation::run.
  Visitor visited = nullptr, inferred = nullptr;
  /// Called before an operation without bodies is evaluated, see
  /// Evaluation::run.
  Question isRepeated = nullptr;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_WALK_H
