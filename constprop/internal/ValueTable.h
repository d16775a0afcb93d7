//===- ValueTable.h - What is known of values and operations ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The table of one evaluation: a state for every value, and for every operation
// why it is kept. The table of a run of a body is nested in another table,
// which has the values that do not depend on the body's arguments. The nested
// table has expressions of its own, which are freed with it: ten thousand
// iterations make millions.
//
// States do not move: pointers to a state are valid until it is forgotten.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_VALUETABLE_H
#define ONNXFOLD_CONSTPROP_INTERNAL_VALUETABLE_H

#include "onnxfold/constprop/EvaluationOptions.h"
#include "onnxfold/constprop/internal/Recipe.h"
#include "onnxfold/symbolic/DimExprs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"

namespace onnxfold {

class ValueTable {
public:
  explicit ValueTable(Precision precision) : precision(precision) {}
  /// Makes the table of one run of a body.
  explicit ValueTable(ValueTable *outside)
      : precision(outside->precision), outside(outside),
        known(&outside->known) {}

  /// True if this is the table of one run of a body.
  bool isInside() const { return outside; }

  DimExprs &exprs() { return table; }
  const DimExprs &exprs() const { return table; }
  /// MLIR types that the IR does not state.
  ValueTypes &types() { return known; }

  //===--- values -------------------------------------------------------===//

  /// The state of a value that is read. Of a value that is not in the table
  /// (its producer is outside the root, or further down where order does not
  /// matter) only the type is known.
  ValueState &of(mlir::Value value);
  /// REQUIRES: the value is in the table.
  const ValueState &at(mlir::Value value) const;
  /// Sets the state, in place if the value has one already.
  ValueState &set(mlir::Value value, ValueState state);
  ValueState &set(mlir::Value value, FoldedValue known);
  /// See Evaluation::assume.
  void assume(mlir::Value value, FoldedValue given);
  /// See Evaluation::refine.
  void refine(mlir::Value value, const ValueState &other);
  /// The same, but if both contradict each other, `other` holds.
  void correct(mlir::Value value, const ValueState &other);
  /// See Evaluation::setEqual.
  void setEqual(mlir::Operation *op, mlir::Operation *equal);

  /// True if all results are known outside, whatever the arguments of the body
  /// are.
  bool isKnownOutside(mlir::Operation *op);
  /// Copies types and shapes of the results from outside. False if they need
  /// not be the same in all runs.
  bool copyOutsideTypes(mlir::Operation *op,
                        llvm::MutableArrayRef<ValueState> results);

  //===--- recipes (Recipe.h), if there is a cache ----------------------===//

  /// The recipe of `value`. If none was set, a recipe of a constant is made.
  /// REQUIRES: the value is constant.
  RecipeRef recipe(mlir::Value value);
  /// The recipe that was set, or null.
  Recipe *findRecipe(mlir::Value value) const;
  /// The recipe holds until the value is set anew.
  void setRecipe(mlir::Value value, RecipeRef recipe) {
    recipes[value] = std::move(recipe);
  }

  //===--- operations ---------------------------------------------------===//

  /// Code None means that the operation folds.
  void setReason(mlir::Operation *op, Reason reason);
  void setConstant(mlir::Operation *op);
  /// Null if the operation is not in the table.
  const Reason *findReason(mlir::Operation *op) const;
  bool isConstant(mlir::Operation *op) const;
  bool isFoldable(mlir::Operation *op) const;
  /// False if no operation is kept for such a reason.
  bool mayBeKept(ReasonCode code) const;

  /// Forgets the operation and its results.
  void forget(mlir::Operation *op);

private:
  /// The state of a value. The entry of an operation's first result also has
  /// the reason why the operation is kept: a map of reasons would take forty
  /// bytes for each operation.
  struct Entry {
    ValueState state;
    const Reason *reason = nullptr;
  };

  Entry &entryOf(mlir::Value value);
  void noteReason(mlir::Operation *op, const Reason *reason);
  DimExpr importExpr(DimExpr expr);
  ValueState importState(const ValueState &state);

  Precision precision;
  ValueTable *outside = nullptr;
  DimExprs table;
  ValueTypes known;
  llvm::DenseMap<int64_t, DimExpr> imported; // by number outside
  llvm::SpecificBumpPtrAllocator<Entry> memory;
  llvm::DenseMap<mlir::Value, Entry *> entries;
  llvm::DenseMap<mlir::Value, RecipeRef> recipes; // empty without a cache
  llvm::StringMap<Reason> texts; // many are kept for the same reason
  const Reason *last = nullptr;  // the reason in `texts` that was set last
  llvm::DenseMap<mlir::Operation *, const Reason *> withoutResults;
};

/// True if a computed value has the inferred type and shape.
bool agrees(const ValueState &inferred, const Elements &value,
            const DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_VALUETABLE_H
