//===- CallOutcomes.h - Cached outcomes of function calls -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// If the same is known of the operands of several calls of a function, only one
// of these calls is evaluated. So functions that call each other in a long
// chain, or twice each, take linear time.
//
//   CallOutcomes::Place place = outcomes.find(op, function, isWhole, evaluation);
//   if (place.isNew)
//     ... fills *place.outcome: values and types in terms of its table ...
//   place.outsideValue(place.outcome->values[i], evaluation.exprs())
//
// An outcome has a table of its own. Its symbols are those of the operands,
// numbered in the order in which the operands mention them.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLOUTCOMES_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLOUTCOMES_H

#include "onnxfold/constprop/Evaluation.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace onnxfold {

/// Pairs of symbols of two tables that stand for the same number.
class SymbolTranslation {
public:
  explicit SymbolTranslation(const DimExprs &outside) : outside(outside) {}

  ValueState inside(const ValueState &state, DimExprs &table);
  /// Translates type and shape. Sizes that the body computes become new ones.
  ValueState outsideTypes(const ValueState &state, const DimExprs &inside,
                          DimExprs &table);
  /// Translates what is known of the elements. (What a DimExpr of a float means
  /// depends on its table.)
  FoldedValue outsideValue(const ValueState &state, const DimExprs &inside,
                           DimExprs &table);

private:
  const DimExprs &outside;
  llvm::DenseMap<int64_t, DimExpr> into, from;
};

struct CallOutcome {
  DimExprs table;
  llvm::SmallVector<ValueState, 4> operands;
  llvm::SmallVector<DimExpr, 4> symbols; ///< by number
  /// The values and types of the results.
  llvm::SmallVector<FoldedValue, 1> values;
  llvm::SmallVector<ValueState, 1> types;
  /// The call may be erased if its results have no users.
  bool isErasable = false;
};

class CallOutcomes {
public:
  class Place {
  public:
    CallOutcome *outcome = nullptr;
    bool isNew = false;

    /// The value in terms of the table around the call. A symbol of the body
    /// becomes a new symbol, the same one in all results of the call.
    FoldedValue outsideValue(const FoldedValue &value, DimExprs &table);
    ValueState outsideTypes(const ValueState &state, DimExprs &table);

  private:
    friend class CallOutcomes;
    llvm::DenseMap<int64_t, DimExpr> outside;
  };

  /// The outcome of a call with these operands; `isWhole`: large constants are
  /// compared too. The place is valid as long as this object lives.
  Place find(mlir::Operation *call, mlir::Operation *function, bool isWhole,
             const Evaluation &evaluation);

private:
  using Key = std::vector<int64_t>;
  std::map<Key, std::unique_ptr<CallOutcome>> outcomes;
  int64_t unique = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLOUTCOMES_H
