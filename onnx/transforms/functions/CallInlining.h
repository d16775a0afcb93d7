//===- CallInlining.h - Inlines calls whose constants fold ------*- C++ -*-===//
//
// Inlines a function that is called once, if constants of the call let part of
// its body fold, or the call passes the condition of an If. A function with
// several calls is not inlined, because its nodes would exist several times;
// what folds in all calls is lifted out of it (InterproceduralConstants.h); but
// a call with constants that others do not have is inlined if at most one node
// is left of it.
//
// References to attributes of the function become the attributes of the call,
// or the default, or nothing. Operands that the call leaves out are left out.
//
// Kept: calls of functions with an operation that cannot be copied (BodyCopy.h)
// and does not fold whatever is passed, or that import other operator sets than
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

  /// REQUIRES: count(). If `op` is such a call: the new operations in front of
  /// it, in order. Otherwise nothing, and nothing has changed. Erased
  /// operations of the body are left out.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
      llvm::function_ref<bool(mlir::Operation *)> isErased);

  /// A call that run() has kept, since the last time, because of an operation
  /// in the body, would be inlined now that this one is erased, or known to
  /// fold.
  bool fitsNow(const Evaluation &evaluation,
               llvm::function_ref<bool(mlir::Operation *)> isErased);

  /// Of functions that are called several times, with constants that are not
  /// constant in all calls: those calls of which one node or none would be left
  /// are inlined from now on. True if there are any that were not. REQUIRES:
  /// count(), and the evaluation has run.
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
  /// In bodies that fit: an evaluation before this one could fold it.
  llvm::DenseSet<mlir::Operation *> folded;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLINLINING_H
