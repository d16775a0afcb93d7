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
// chain above it as pays; what still fits is folded again. Deterministic. A
// plan without a budget is linear in the number of operations; with one, each
// round sorts what is left over, and few models take more than two. A plan for
// the rewritten IR with a budget of 0 changes nothing.
//
// What only gives a constant as it is stays, whatever the budget is, where its
// result would be stored beside that constant: the same bytes would be there
// twice. The caller names such operations, for the engine knows no operator.
//
// Thread safety: none. Errors: none. Refers to its Evaluation, which must
// outlive it; between run() and apply() the IR must not change.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_PLAN_FOLDPLAN_H
#define ONNXFOLD_CONSTPROP_PLAN_FOLDPLAN_H

#include "onnxfold/constprop/Evaluation.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold {

class FoldPlan {
public:
  /// Result #0 of `op` is `of`, an operand of it.
  struct Copy {
    mlir::Operation *op;
    mlir::Value of;
  };
  /// Copies of so many bytes are stored: a node takes as many.
  static constexpr int64_t smallCopy = 64;

  /// `maxGrowth` in bytes; nothing = unlimited. `superseded`: operations that
  /// nobody reads any more and that go, with what only they read. `copies`: in
  /// program order.
  FoldPlan(Evaluation &evaluation, std::optional<int64_t> maxGrowth,
           llvm::ArrayRef<mlir::Operation *> superseded = {},
           llvm::ArrayRef<Copy> copies = {});

  enum class Action { Kept, Folded, Removed };

  /// Folded: replaced by constants. Removed: only folded operations read it (a
  /// constant, a sequence, or an operation with unknown results), or it stands
  /// in the body of an operation that goes.
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
  bool changesAnything() const {
    return !folded.empty() || !frontierValues.empty();
  }

  /// Rewrites the IR. Afterwards operations that were folded or removed are
  /// gone; do not ask this plan or its evaluation about them. Each is forgotten
  /// by the evaluation as it goes, so that bytes are not there twice.
  void apply();

  /// Bytes that a constant takes in a file; 0 where none can hold the value.
  /// REQUIRES: it is known.
  int64_t bytesOf(mlir::Value value) const;

private:
  using Costs = llvm::DenseMap<mlir::Operation *, int64_t>;

  void noteWhole(mlir::Operation *op);
  void keep(llvm::ArrayRef<mlir::Operation *> mixed);
  void keepCopies(llvm::ArrayRef<Copy> copies);
  llvm::SmallVector<mlir::Value> operandsOf(mlir::Operation *op) const;
  int64_t bytesInside(mlir::Operation *op) const;
  mlir::Operation *wholeAround(mlir::Operation *op) const;
  bool isStored(mlir::Operation *op) const;
  bool mayGo(mlir::Operation *op) const;
  bool maySometimeGo(mlir::Operation *op) const;
  void releaseOperands(mlir::Operation *op);
  void acquireOperands(mlir::Operation *op);
  int64_t storedBytes(mlir::Operation *op) const;
  void setFolded(mlir::Operation *op, bool fold);
  void unfold(mlir::Operation *op, const Costs &keepCosts);
  Costs computeKeepCosts(llvm::ArrayRef<mlir::Operation *> choices);
  void reduce(llvm::ArrayRef<mlir::Operation *> choices, int64_t most);
  int64_t freedBytes(mlir::Operation *op, const Costs &freed) const;
  void refold(llvm::ArrayRef<mlir::Operation *> choices, int64_t most);
  void fitBudget(int64_t maxGrowth);
  bool isUnread(mlir::Operation *op) const;
  void removeUnread();
  void collectFrontier();
  void eraseUnread(mlir::Operation *op);

  Evaluation &evaluation;
  std::vector<mlir::Operation *> candidates; // foldable, in program order
  llvm::DenseSet<mlir::Operation *> folded, removed;
  llvm::DenseSet<mlir::Operation *> keptCopies;
  llvm::DenseMap<mlir::Value, unsigned> readers; // uses by what stays
  /// Of operations that go with their bodies: their operands and what the
  /// bodies read from outside, and the bytes of constants in them.
  struct Whole {
    llvm::SmallVector<mlir::Value> operands;
    int64_t bytes = 0;
  };
  llvm::DenseMap<mlir::Operation *, Whole> wholes;
  mutable llvm::DenseMap<mlir::Value, int64_t> stringBytes;
  std::vector<mlir::Value> frontierValues;
  int64_t currentGrowth = 0;
  bool limited = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_PLAN_FOLDPLAN_H
