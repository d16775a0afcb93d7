//===- CallOutcomes.h - What calls of functions were found to give -*- C++ -*-===//
//
// Of calls of one function with operands of which the same is known, one is
// evaluated: functions that call each other in a long chain, or twice each, are
// looked at once for what they are called with.
//
//   CallOutcomes::Place place = outcomes.find(op, function, isWhole, evaluation);
//   if (place.isNew)
//     ... fills *place.outcome: values and types in terms of its table ...
//   place.outsideValue(place.outcome->values[i], evaluation.exprs())
//
// An outcome has a table of its own, whose symbols are those of the operands by
// their numbers in the order of the operands. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLOUTCOMES_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLOUTCOMES_H

#include "onnxfold/constprop/Evaluation.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace onnxfold {

/// The symbols of two tables that are the same number.
class SymbolTranslation {
public:
  explicit SymbolTranslation(const DimExprs &outside) : outside(outside) {}

  ValueState inside(const ValueState &state, DimExprs &table);
  /// Type and shape; what the body computes of sizes is any size.
  ValueState outsideTypes(const ValueState &state, const DimExprs &inside,
                          DimExprs &table);
  /// What is known of the elements. (DimExprs of floats mean what their table
  /// says.)
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
  /// Of the results.
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

    /// In terms of the table around the call. What is no number outside is a
    /// new one, the same for all that the call gives.
    FoldedValue outsideValue(const FoldedValue &value, DimExprs &table);
    ValueState outsideTypes(const ValueState &state, DimExprs &table);

  private:
    friend class CallOutcomes;
    llvm::DenseMap<int64_t, DimExpr> outside;
  };

  /// `isWhole`: large constants count too. The place is valid as long as this
  /// lives.
  Place find(mlir::Operation *call, mlir::Operation *function, bool isWhole,
             const Evaluation &evaluation);

private:
  using Key = std::vector<int64_t>;
  std::map<Key, std::unique_ptr<CallOutcome>> outcomes;
  int64_t unique = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CALLOUTCOMES_H
