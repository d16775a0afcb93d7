//===- LoopSolver.h - What is known in and after loops ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds out what holds in every iteration of a loop (LoopInvariants.h). The
// body is walked as a trial until all assumptions about its arguments hold, and
// then once more to record the outcomes. Loops in the body remember from one
// walk to the next which facts change. So each loop is walked about as often as
// there are loops around it; its walks do not double with each of them.
//
//   LoopSolver loops;
//   loops.solve(loop, false, exprs, declared,
//               [&](auto &invariants, bool isTrial) {
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

  /// Solves a loop. `isTrial`: a loop around it is not solved yet; then all
  /// walks are trials. `declared` returns the declared states of the body's
  /// arguments. It is called before each walk, because expressions of one walk
  /// mean nothing in the next. The invariants hold until clear().
  const LoopInvariants &solve(const BodyLoop &loop, bool isTrial,
                              DimExprs &exprs, Declared declared,
                              WalkBody walk);

  /// The invariants of a loop that was solved since clear(), or null.
  const LoopInvariants *find(mlir::Operation *op) const;
  /// True if a fact about an argument of the loop holds in the first iteration,
  /// but not in all.
  bool isOpen(mlir::Operation *op) const { return open.contains(op); }
  bool anyOpen() const { return !open.empty(); }

  /// True if no loop is being solved, or was solved since clear().
  bool empty() const { return loops.empty(); }
  /// Drops the invariants of all loops.
  void clear() { loops.clear(); }
  void forget(mlir::Operation *op);

private:
  /// Shared, because the table may grow while a loop is walked.
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<LoopInvariants>> loops;
  llvm::DenseSet<mlir::Operation *> open;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_LOOPSOLVER_H
