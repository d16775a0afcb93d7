//===- FoldPlan.h - Which constants the model will hold ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Step two of constant propagation. Folding everything that can be folded may
// make a model larger: a broadcast or a transposed tied weight is stored in
// full. The plan chooses what to fold so that the growth, the bytes of the
// frontier (folded values that remaining operations use) minus the bytes of
// erased constants, is within a budget.
//
//   FoldPlan plan(evaluation, /*maxGrowth=*/1 << 20);
//   plan.apply();                                // step three: rewrites the IR
//
// How: everything is folded at first. While the growth is over the budget, the
// producer of the frontier value that saves most is kept, with as much of the
// chain above it as pays. Then values that still fit are folded again. A plan
// is deterministic. Without a budget its cost is linear in the number of
// operations. With a budget each pass sorts the remaining values, and few
// models take more than two passes. A plan for the rewritten IR with a budget
// of 0 changes nothing.
//
// Functions that will not be written (nothing calls them any more) are folded
// as if there were no budget, and are not counted: the plan of a later run,
// which does not find them, must be the same.
//
// A copy of a constant is kept, whatever the budget is, if its result would be
// stored beside that constant: the same bytes would be stored twice. The caller
// names such operations, because the engine knows no operator.
//
// Operations on values that are stored in a compact form (dequantized weights)
// fold only where the model does not grow, whatever the budget is. The caller
// names these operations, too.
//
// Thread safety: none. Errors: none. A plan refers to its Evaluation, which
// must outlive it; between run() and apply() the IR must not change.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_PLAN_FOLDPLAN_H
#define ONNXFOLD_CONSTPROP_PLAN_FOLDPLAN_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/constprop/plan/FoldAction.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold {

class FoldPlan {
public:
  /// Result #0 of `op` is `of`, an operand of it.
  struct Copy {
    mlir::Operation *op;
    mlir::Value of;
  };
  /// An operation that folds only if that stores no more bytes than before,
  /// give or take a node. A source expands a compact value: its result is never
  /// stored, and it is erased when all its users fold.
  struct Compact {
    mlir::Operation *op;
    bool isSource;
  };
  /// Copies of up to this many bytes are stored: a node takes as many.
  static constexpr int64_t smallCopy = 64;

  /// `maxGrowth` in bytes; nothing = unlimited. `replaced`: operations
  /// without users that are erased, with the producers that only they use.
  /// `copies`, `compact`: in program order. `dropped`: operations directly
  /// below the root that will not be written.
  FoldPlan(Evaluation &evaluation, std::optional<int64_t> maxGrowth,
           llvm::ArrayRef<mlir::Operation *> replaced = {},
           llvm::ArrayRef<Copy> copies = {},
           llvm::ArrayRef<mlir::Operation *> dropped = {},
           llvm::ArrayRef<Compact> compact = {});

  using Action = FoldAction;

  /// Whether an operation is folded, erased or kept.
  Action action(mlir::Operation *op) const;

  /// Why an operation is kept; code None for the others.
  const Reason &reason(mlir::Operation *op) const;

  /// Values that become constants, in program order.
  llvm::ArrayRef<mlir::Value> frontier() const { return frontierValues; }

  /// Bytes that the model's constants gain (or lose).
  int64_t growth() const { return currentGrowth; }

  /// True if the budget left something unfolded.
  bool isLimited() const { return limited; }

  /// True if the IR would change.
  bool changesAnything() const {
    return !folded.empty() || !frontierValues.empty();
  }

  /// Rewrites the IR. Afterwards folded and removed operations are erased; do
  /// not ask this plan or its evaluation about them. The evaluation forgets
  /// each operation when it is erased, so that its bytes are not in memory
  /// twice.
  void apply();

  /// Bytes that a constant takes in a file; 0 where none can hold the value.
  /// REQUIRES: the value is known.
  int64_t bytesOf(mlir::Value value) const;

private:
  using Costs = llvm::DenseMap<mlir::Operation *, int64_t>;

  std::vector<mlir::Operation *>
  collectCandidates(llvm::ArrayRef<mlir::Operation *> replaced);
  void foldAll(llvm::ArrayRef<mlir::Operation *> replaced, bool inDropped);
  bool isInDropped(mlir::Operation *op) const;
  void noteWhole(mlir::Operation *op,
                 const llvm::DenseSet<mlir::Operation *> &replaced);
  void keep(llvm::ArrayRef<mlir::Operation *> mixed);
  bool foldWithin(int64_t maxGrowth, llvm::ArrayRef<mlir::Operation *> mixed);
  void keepCopies(llvm::ArrayRef<Copy> copies);
  void foldCompact(llvm::ArrayRef<Compact> compact);
  llvm::SmallVector<mlir::Value> operandsOf(mlir::Operation *op) const;
  int64_t bytesInside(mlir::Operation *op) const;
  mlir::Operation *wholeAround(mlir::Operation *op) const;
  bool isStored(mlir::Operation *op) const;
  bool mayErase(mlir::Operation *op) const;
  bool mayEraseUnused(mlir::Operation *op) const;
  void releaseOperands(mlir::Operation *op);
  void release(llvm::SmallVector<mlir::Value> values);
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
  llvm::SmallDenseSet<mlir::Operation *, 2> dropped;
  std::vector<mlir::Operation *> candidates; // foldable, in program order
  llvm::DenseSet<mlir::Operation *> folded, removed;
  llvm::DenseSet<mlir::Operation *> keptCopies, keptCompact;
  llvm::DenseMap<mlir::Value, unsigned> readers; // uses by kept operations
  /// An operation that is erased with its bodies: its operands and the values
  /// that the bodies use from outside; the values that only replaced operations
  /// in the bodies use; and the bytes of constants in the bodies.
  struct Whole {
    llvm::SmallVector<mlir::Value> operands, replacedOperands;
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
