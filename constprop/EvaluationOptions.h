//===- EvaluationOptions.h - What an evaluation is told ---------*- C++ -*-===//
//
// Limits, precision, and call-backs. All have defaults; a value that may be
// copied, whose functions are called from the thread that evaluates.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H
#define ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H

#include "onnxfold/constprop/FoldContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include <functional>

namespace onnxfold {

enum class Precision : uint8_t {
  Exact, // floats are rounded to their type after every operation
  Wide,  // only when they enter the IR; readers of elements, and casts, see
         // them rounded (Elements::widened)
};

struct EvaluationOptions {
  FoldLimits limits;
  Precision precision = Precision::Exact;
  /// Operations that must not change, with the reason (--only, --skip). May be
  /// empty.
  std::function<std::optional<Reason>(mlir::Operation *)> filter;
  /// What is known of an argument of a function or body; by default what its
  /// MLIR type says. May be empty.
  std::function<ValueState(mlir::BlockArgument, DimExprs &)> stateOfArgument;
  /// Called before each operation, for progress. May be empty.
  std::function<void()> step;
  /// Not null: what all operations compute counts here together, against the
  /// limits of one. Must outlive the evaluation.
  UsedLimits *used = nullptr;
  /// Where functions that are called are looked up, which must outlive the
  /// evaluation; null: those of the root.
  const mlir::SymbolTable *functions = nullptr;
  /// What is only kept for the runtime (ReasonCode::Quantization) folds too.
  bool foldsQuantization = false;

  /// What an argument is declared as.
  ValueState declared(mlir::BlockArgument argument, DimExprs &exprs) const;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H
