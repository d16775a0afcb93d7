//===- CallInlining.h - Inlines calls whose constants fold ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Inlines a function that is called once, if constants of the call let part of
// its body fold, or the call passes the condition of an If. A function with
// several calls is not inlined, because its nodes would exist several times;
// values that fold in all calls are lifted out of it
// (InterproceduralConstants.h). But a call with constants that others do not
// have is inlined if at most one node of the body remains.
//
// References to attributes of the function become the attributes of the call,
// or the defaults, or are removed. Operands that the call leaves out are left
// out in the body.
//
// Kept: calls of functions with an operation that cannot be copied (BodyCopy.h)
// and does not fold for all arguments, or that import other operator sets than
// the caller; calls that leave out a required operand of a node in the body, or
// pass a graph as an attribute; and those where a name in a graph of a custom
// operator, which cannot change, would hide another.
//
//   CallInlining calls;
//   calls.count(module, isErased);
//   if (auto made = calls.run(op, evaluation, nodes)) ... // op has no users
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLINLINING_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLINLINING_H

#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"
#include "llvm/ADT/SmallBitVector.h"

namespace onnxfold {

class CallInlining {
public:
  /// Notes the functions of the model, and the calls of them that are reached
  /// from the main graph, without those in erased operations. True if one is
  /// called once now and was called more often before.
  bool count(mlir::Operation *module,
             llvm::function_ref<bool(mlir::Operation *)> isErased);

  bool hasCounted() const { return counted; }

  /// Inlines `op` if it is such a call, and returns the new operations in front
  /// of it, in order. Otherwise returns nothing and changes nothing. Erased
  /// operations of the body are left out. `mayInline` is asked last. REQUIRES:
  /// count().
  std::optional<llvm::SmallVector<mlir::Operation *>>
  run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
      llvm::function_ref<bool(mlir::Operation *)> isErased,
      llvm::function_ref<bool()> mayInline);

  /// A call that run() kept since the last time, because of an operation in the
  /// body, would be inlined now, since this operation is erased or known to
  /// fold.
  bool fitsNow(const Evaluation &evaluation,
               llvm::function_ref<bool(mlir::Operation *)> isErased);

  /// Looks at functions with several calls that pass constants where other
  /// calls do not. Those calls of which at most one node would remain are
  /// inlined from now on. True if there are new ones. REQUIRES: count(), and
  /// the evaluation has run.
  bool noteDiverging(const Evaluation &evaluation,
                     llvm::function_ref<bool(mlir::Operation *)> isErased);

private:
  using IsErased = llvm::function_ref<bool(mlir::Operation *)>;

  bool isFixed(mlir::Operation *inner, const Evaluation &evaluation) const;
  bool fits(Operator call, mlir::Block &body, const Evaluation &evaluation,
            IsErased isErased) const;
  bool pays(Operator call, mlir::Block &body, const Evaluation &evaluation,
            IsErased isErased) const;
  unsigned countLeft(Operator call, const llvm::SmallBitVector &constants,
                     const Evaluation &evaluation, IsErased isErased) const;

  CallGraph graph;
  bool counted = false;
  llvm::SmallVector<mlir::Operation *> misfits; ///< calls
  llvm::DenseSet<mlir::Operation *> diverging;  ///< calls
  /// Operations in inlinable bodies that an earlier evaluation could fold.
  llvm::DenseSet<mlir::Operation *> folded;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLINLINING_H
