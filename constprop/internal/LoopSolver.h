//===- LoopSolver.h - What is known in and after loops ----------*- C++ -*-===//
//
// Finds out what holds in every iteration of a loop (LoopInvariants.h): its
// body is walked as a trial until all that is assumed of its arguments holds,
// and then once more for good. Loops in it remember what changes from one walk
// to the next, so that each is walked about as often as there are loops around
// it, and not twice as often with each of them.
//
//   LoopSolver loops;
//   loops.solve(loop, false, exprs, declared, [&](auto &invariants, bool trial) {
//     ... invariants.argument(i) ...; return operands of the terminator; });
//   loops.find(op)->last                 // values of the last iteration
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_LOOPSOLVER_H
#define ONNXFOLD_CONSTPROP_INTERNAL_LOOPSOLVER_H

#include "onnxfold/constprop/internal/LoopInvariants.h"

namespace onnxfold {

class LoopSolver {
public:
  /// States of the operands of a body's terminator, which are valid until the
  /// next walk.
  using Given = llvm::SmallVector<const ValueState *, 4>;
  using Declared = llvm::function_ref<std::vector<ValueState>()>;
  using WalkBody =
      llvm::function_ref<Given(const LoopInvariants &, bool isTrial)>;

  /// `isTrial`: a loop around it is not solved yet; then all walks are trials.
  /// `declared`: what the body's arguments are declared as; asked before each
  /// walk, as expressions of one walk mean nothing in the next. The invariants
  /// hold until clear().
  const LoopInvariants &solve(const BodyLoop &loop, bool isTrial,
                              DimExprs &exprs, Declared declared,
                              WalkBody walk);

  /// What is known of a loop that was solved since clear(), or null.
  const LoopInvariants *find(mlir::Operation *op) const;
  /// Of an argument of the loop something is known in the first iteration that
  /// does not hold in all.
  bool isOpen(mlir::Operation *op) const { return open.contains(op); }
  bool anyOpen() const { return !open.empty(); }

  /// No loop is being solved, or was since clear().
  bool empty() const { return loops.empty(); }
  /// Nobody asks for these loops any more.
  void clear() { loops.clear(); }
  void forget(mlir::Operation *op);

private:
  /// Shared, as the table may grow while a loop is walked.
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<LoopInvariants>> loops;
  llvm::DenseSet<mlir::Operation *> open;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_LOOPSOLVER_H
