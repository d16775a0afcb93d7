//===- EvaluationOptions.h - What an evaluation is told ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Limits, precision, and call-backs. All have defaults. Options may be copied.
// The functions are called from the thread that evaluates.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H
#define ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/constprop/Precision.h"
#include "onnxfold/constprop/ValueTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include <functional>

namespace onnxfold {

class ResultCache;

struct EvaluationOptions {
  FoldLimits limits;
  Precision precision = Precision::Exact;
  /// Returns why an operation must not change (--only, --skip). May be empty.
  std::function<Reason(mlir::Operation *)> filter;
  /// Returns what is known of an argument of a function or body. If it is
  /// empty, the MLIR type of the argument says what is known.
  std::function<ValueState(mlir::BlockArgument, DimExprs &)> stateOfArgument;
  /// Called before each operation, for progress. May be empty.
  std::function<void()> step;
  /// If not null, the iterations and the work of all operations are counted
  /// here, and together they may use what `limits` allow one operation. It must
  /// outlive the evaluation.
  UsedLimits *used = nullptr;
  /// The functions that may be called, which must outlive the evaluation. If
  /// null, the functions of the root are used.
  const mlir::SymbolTable *functions = nullptr;
  /// Returns why an operation is kept although it could be computed, in bodies
  /// and called functions too. If it is empty, the dialects decide
  /// (FoldingInterface::keptByPolicy).
  std::function<Reason(mlir::Operation *)> policy;
  /// Inferred types are written into the IR (FoldingInterface::refineTypes):
  /// for callers that rewrite it anyway. By default the IR is not touched.
  bool refinesTypes = false;
  /// Called for values whose declared type contradicts the inferred one; the
  /// evaluation uses the inferred type. Such values are arguments of loops and,
  /// with `refinesTypes`, results before their types change. The function may
  /// be called several times for a value, and may be empty.
  std::function<void(mlir::Value, mlir::Type inferred)> noteTypeConflict;
  /// The results of earlier runs (ResultCache.h). The cache must outlive the
  /// evaluation and its values. If it is null, everything is computed.
  ResultCache *cache = nullptr;

  /// The state of an argument by its declared type, in the IR or in `types`.
  ValueState declared(mlir::BlockArgument argument, const ValueTypes &types,
                      DimExprs &exprs) const;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_EVALUATIONOPTIONS_H
