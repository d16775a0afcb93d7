//===- EvaluationOptions.h - What an evaluation is told ---------*- C++ -*-===//
//
// Limits, precision, and call-backs. All have defaults. May be copied; the
// functions are called from the thread that evaluates.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H
#define ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/constprop/ValueTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include <functional>

namespace onnxfold {

class ResultCache;

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
  std::function<Reason(mlir::Operation *)> filter;
  /// What is known of an argument of a function or body; by default what its
  /// MLIR type says. May be empty.
  std::function<ValueState(mlir::BlockArgument, DimExprs &)> stateOfArgument;
  /// Called before each operation, for progress. May be empty.
  std::function<void()> step;
  /// If not null, what all operations compute is counted here, and together
  /// they may use what `limits` allow one. Must outlive the evaluation.
  UsedLimits *used = nullptr;
  /// Where functions that are called are looked up, which must outlive the
  /// evaluation; null: those of the root.
  const mlir::SymbolTable *functions = nullptr;
  /// What is kept although it could be computed, with the reason, in bodies and
  /// called functions too. Empty: what the dialects say
  /// (FoldingInterface::keptByPolicy).
  std::function<Reason(mlir::Operation *)> policy;
  /// Inferred types are written into the IR (FoldingInterface::refineTypes):
  /// for callers that rewrite it anyway. By default the IR is not touched.
  bool refinesTypes = false;
  /// Called for values whose declared type contradicts the inferred one, which
  /// is used: for arguments of loops, and with `refinesTypes` for results,
  /// before their types change. May be called several times for a value. May be
  /// empty.
  std::function<void(mlir::Value, mlir::Type inferred)> noteTypeConflict;
  /// Where results of earlier runs are looked up (ResultCache.h), which must
  /// outlive the evaluation and what it computes. Null: everything is computed.
  ResultCache *cache = nullptr;

  /// What an argument is declared as, in the IR or in `types`.
  ValueState declared(mlir::BlockArgument argument, const ValueTypes &types,
                      DimExprs &exprs) const;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H
