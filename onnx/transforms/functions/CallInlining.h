//===- CallInlining.h - Calls whose constants fold in the body --*- C++ -*-===//
//
// Writes the body of a function of the model in front of the only call of it,
// if the call passes constants of which something in the body folds, or the
// condition of an If. A body that is called from several places stays, as its
// nodes would be there several times, and what folds in all is lifted out of it
// (InterproceduralConstants.h); but a call with constants that others do not have is
// written out where one node or none is left of it.
//
// References to attributes of the function become what the call gives, or the
// default, or nothing. Inputs that the call leaves out are left out.
//
// Left as they are: calls of functions that hold what cannot be written as a
// new node (BodyCopy.h) and does not fold whatever is passed, or that import
// other operator sets than the caller; calls that leave out what a node in the
// body must have, or give a graph as an attribute; and those where a name in a
// graph of a custom operator, which stays, would hide another.
//
//   CallInlining calls;
//   calls.count(module, isGone);
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
  /// from the main graph, without those in operations that are gone. True if
  /// one is called once now and was called more often before.
  bool count(mlir::Operation *module,
             llvm::function_ref<bool(mlir::Operation *)> isGone);

  bool hasCounted() const { return counted; }

  /// REQUIRES: count(). If `op` is such a call: what stands in front of it now
  /// and was not there, in order. Else nothing, and all is as it was.
  /// Operations of the body that are gone are left out.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
      llvm::function_ref<bool(mlir::Operation *)> isGone);

  /// A call that run() left as it is, since the last time, because of what was
  /// in the body, would be inlined now that this is gone, or known to fold.
  bool fitsNow(const Evaluation &evaluation,
               llvm::function_ref<bool(mlir::Operation *)> isGone);

  /// Of functions that are called several times, with constants that are not
  /// constant in all calls: those calls of which one node or none would be left
  /// are inlined from now on. True if there are any that were not. REQUIRES:
  /// count(), and the evaluation has run.
  bool noteDiverging(const Evaluation &evaluation,
                     llvm::function_ref<bool(mlir::Operation *)> isGone);

private:
  using IsGone = llvm::function_ref<bool(mlir::Operation *)>;

  bool isFixed(mlir::Operation *inner, const Evaluation &evaluation) const;
  bool fits(Operator call, mlir::Block &body, const Evaluation &evaluation,
            IsGone isGone) const;
  bool pays(Operator call, mlir::Block &body, const Evaluation &evaluation,
            IsGone isGone) const;
  unsigned countLeft(Operator call, const llvm::SmallBitVector &constants,
                     const Evaluation &evaluation, IsGone isGone) const;

  CallGraph graph;
  bool counted = false;
  llvm::SmallVector<mlir::Operation *> misfits; ///< calls
  llvm::DenseSet<mlir::Operation *> diverging;  ///< calls
  /// In bodies that fit: an evaluation before this one could fold it.
  llvm::DenseSet<mlir::Operation *> folded;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLINLINING_H
