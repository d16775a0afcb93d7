//===- ValueTable.h - What is known of values and operations ----*- C++ -*-===//
//
// The table of one evaluation: a state for every value, and for every operation
// why it is kept. The table of a run of a body is nested in another one, which
// has the values that do not depend on the body's arguments. Its expressions
// are its own and die with it: ten thousand iterations make millions.
//
// States do not move until they are forgotten: pointers to them are valid.
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
  /// For one run of a body.
  explicit ValueTable(ValueTable *outside)
      : precision(outside->precision), outside(outside),
        known(&outside->known) {}

  /// It is that of one run of a body.
  bool isInside() const { return outside; }

  DimExprs &exprs() { return table; }
  const DimExprs &exprs() const { return table; }
  /// MLIR types that the IR does not state.
  ValueTypes &types() { return known; }

  //===--- values -------------------------------------------------------===//

  /// What is known of a value that is read. One that is not in the table (made
  /// outside the root, or further down where order does not matter) may be
  /// anything of its type.
  ValueState &of(mlir::Value value);
  /// REQUIRES: the value is in the table.
  const ValueState &at(mlir::Value value) const;
  /// In place, where there is one already.
  ValueState &set(mlir::Value value, ValueState state);
  ValueState &set(mlir::Value value, FoldedValue known);
  /// From now on `value` is this; null: nothing is known but type and shape.
  void assume(mlir::Value value, FoldedValue given);
  /// `value` is equal to another one, of which this is known.
  void refine(mlir::Value value, const ValueState &other);
  /// The same is known of the results of both, and of what becomes of them.
  void setEqual(mlir::Operation *op, mlir::Operation *equal);

  /// All results are known outside, whatever the arguments of the body are.
  bool isKnownOutside(mlir::Operation *op);
  /// Types and shapes of the results as they are outside; false if these need
  /// not be the same in all runs.
  bool copyOutsideTypes(mlir::Operation *op,
                        llvm::MutableArrayRef<ValueState> results);

  //===--- recipes (Recipe.h), if there is a cache ----------------------===//

  /// How the elements of `value` come about; a leaf, made now, where nobody
  /// noted anything. REQUIRES: it is constant.
  RecipeRef recipe(mlir::Value value);
  /// Null if nobody noted any.
  Recipe *findRecipe(mlir::Value value) const;
  /// Until the value is set anew.
  void setRecipe(mlir::Value value, RecipeRef recipe) {
    recipes[value] = std::move(recipe);
  }

  //===--- operations ---------------------------------------------------===//

  /// Code None: it folds.
  void setReason(mlir::Operation *op, Reason reason);
  void setConstant(mlir::Operation *op);
  /// Null: the operation is not in the table.
  const Reason *findReason(mlir::Operation *op) const;
  bool isConstant(mlir::Operation *op) const;
  bool isFoldable(mlir::Operation *op) const;
  /// False: no operation is kept for such a reason.
  bool mayBeKept(ReasonCode code) const;

  /// Forgets the operation and its results.
  void forget(mlir::Operation *op);

private:
  /// What is known of a value; of the first result of an operation, why that is
  /// kept, too: a map of reasons would take forty bytes for each operation.
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
  const Reason *last = nullptr;  // of them, the one that was set last
  llvm::DenseMap<mlir::Operation *, const Reason *> withoutResults;
};

/// A computed value fits what was inferred of it.
bool agrees(const ValueState &inferred, const Elements &value,
            const DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_VALUETABLE_H
