//===- FoldPlan.h - Which constants the model will hold ---------*- C++ -*-===//
//
// Step two of constant propagation. Folding everything that can be folded may
// make a model larger: a broadcast or a transposed tied weight is stored in
// full. The plan chooses what to fold so that the growth, the bytes of the
// frontier (values that remaining operations read) minus the bytes of constants
// that die, stays within a budget.
//
//   FoldPlan plan(evaluation, /*maxGrowth=*/1 << 20);
//   plan.apply();                                // step three: rewrites the IR
//
// How: everything is folded at first; while the growth is over the budget, the
// frontier value that saves most is left to its operation, with as much of the
// chain above it as pays; what still fits is folded again. Deterministic;
// linear in the number of operations but for one sort.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_FOLDPLAN_H
#define ONNXFOLD_CONSTPROP_FOLDPLAN_H

#include "onnxfold/constprop/Evaluation.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold {

class FoldPlan {
public:
  /// `maxGrowth` in bytes; nothing = unlimited.
  FoldPlan(const Evaluation &evaluation, std::optional<int64_t> maxGrowth);

  enum class Action { Kept, Folded, Removed };

  /// Folded: replaced by constants. Removed: only folded operations read it (a
  /// constant, or an operation with unknown results).
  Action action(mlir::Operation *op) const;

  /// Why an operation is kept; code None for the others.
  const Reason &reason(mlir::Operation *op) const;

  /// Values that become constants, in program order.
  llvm::ArrayRef<mlir::Value> frontier() const { return frontierValues; }

  /// Bytes that the model's constants gain (or lose).
  int64_t growth() const { return currentGrowth; }

  /// The budget left something unfolded.
  bool isLimited() const { return limited; }

  /// True if the IR would change.
  bool changesAnything() const { return !folded.empty(); }

  /// Rewrites the IR. Afterwards operations that were folded or removed are
  /// gone; do not ask this plan or its evaluation about them.
  void apply();

private:
  void setFolded(mlir::Operation *op, bool fold);
  int64_t bytesOf(mlir::Value value) const;
  void fitBudget(int64_t maxGrowth);
  int64_t keepCost(mlir::Operation *op);
  void unfold(mlir::Operation *op);
  void collectDead();
  void collectFrontier();

  const Evaluation &evaluation;
  std::vector<mlir::Operation *> candidates; // foldable, in program order
  llvm::DenseSet<mlir::Operation *> folded, removed;
  llvm::DenseMap<mlir::Value, unsigned> readers; // uses by unfolded operations
  llvm::DenseMap<mlir::Operation *, int64_t> keepCosts;
  std::vector<mlir::Value> frontierValues;
  int64_t currentGrowth = 0;
  bool limited = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_FOLDPLAN_H
