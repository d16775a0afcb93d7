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
// ask() names functions whose calls are inlined in any case. A function whose
// operators are the same versions where the call is may import another opset,
// and domains that are not imported there are.
//
// References to attributes of the function become the attributes of the call,
// or the defaults, or are removed. Operands that the call leaves out are left
// out in the body.
//
// Kept: calls of functions with an operation that cannot be copied (BodyCopy.h)
// and does not fold for all arguments, or whose operators are other versions
// where the call is; calls that leave out a required operand of a node in the body, or
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
#include "llvm/Support/GlobPattern.h"

namespace onnxfold {

class CallInlining {
public:
  using IsErased = llvm::function_ref<bool(mlir::Operation *)>;

  /// Notes the functions of the model, and the calls of them that are reached
  /// from the main graph, without those in erased operations. True if one is
  /// called once now and was called more often before.
  bool count(mlir::Operation *module,
             llvm::function_ref<bool(mlir::Operation *)> isErased);

  bool hasCounted() const { return counted; }

  /// Calls of functions that match one of the globs, by NAME or DOMAIN:NAME, are
  /// inlined whatever is known of them. REQUIRES: the globs are valid.
  void ask(llvm::ArrayRef<std::string> globs);
  /// The operation calls such a function. REQUIRES: count().
  bool isAsked(mlir::Operation *call) const;
  /// Why a call of such a function is kept; empty if it is not.
  std::string whyKept(mlir::Operation *call, const Evaluation &evaluation,
                      NodeBuilder &nodes, IsErased isErased) const;

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

  /// Notes what is replaced or folds in bodies of functions with one call, by
  /// now, or in the last walk for which this was not called.
  void noteSettled(const Evaluation &evaluation, IsErased isErased);
  /// More of such a body is replaced or folds than noteSettled() saw, because
  /// the types that the call passes are known: it is inlined from now on. True
  /// if there is one. REQUIRES: count(), noteSettled(), and the evaluation has
  /// run.
  bool noteSimplified(const Evaluation &evaluation, IsErased isErased);
  /// The only call of a function could be inlined, and is not yet.
  bool mayTry(mlir::Operation *call, const Evaluation &evaluation,
              NodeBuilder &nodes, IsErased isErased) const;
  /// The call of this function is inlined from now on.
  void noteTried(mlir::Operation *function) { simplified.insert(function); }
  /// The functions that are called once; none in a model of very deep calls.
  llvm::SmallVector<const CallGraph::Function *> calledOnce() const;

  /// Looks at functions with several calls that pass constants where other
  /// calls do not. Those calls of which at most one node would remain are
  /// inlined from now on. True if there are new ones. REQUIRES: count(), and
  /// the evaluation has run.
  bool noteDiverging(const Evaluation &evaluation,
                     llvm::function_ref<bool(mlir::Operation *)> isErased);

private:
  bool isFixed(mlir::Operation *inner, const Evaluation &evaluation) const;
  bool isWanted(Operator call, const CallGraph::Function &function,
                const Evaluation &evaluation, IsErased isErased) const;
  std::string whyNotWritten(mlir::Operation *inner, Operator call,
                            const Evaluation &evaluation) const;
  std::string misfit(Operator call, mlir::Block &body,
                     const Evaluation &evaluation, IsErased isErased) const;
  bool pays(Operator call, mlir::Block &body, const Evaluation &evaluation,
            IsErased isErased) const;
  unsigned countLeft(Operator call, const llvm::SmallBitVector &constants,
                     const Evaluation &evaluation, IsErased isErased) const;

  std::vector<llvm::GlobPattern> asked;
  CallGraph graph;
  bool counted = false;
  llvm::SmallVector<mlir::Operation *> misfits; ///< calls
  /// Bodies that were copied while other calls were left, by function.
  llvm::DenseMap<mlir::Operation *, unsigned> numCopied;
  llvm::DenseSet<mlir::Operation *> diverging;  ///< calls
  llvm::DenseSet<mlir::Operation *> simplified; ///< functions
  /// Operations of bodies that are replaced or fold whatever the types are.
  llvm::DenseSet<mlir::Operation *> settled;
  /// Operations in inlinable bodies that an earlier evaluation could fold.
  llvm::DenseSet<mlir::Operation *> folded;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_CALLINLINING_H
