//===- BodyCopy.h - Operations of a body as new nodes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of unrolling a Loop and inlining a call. Copies are inserted
// in front of the operation, and take the names of its results if they can;
// otherwise an Identity gets the name.
//
//   BodyCopy copies(op, evaluation, nodes);
//   copies.values.map(argument, given);
//   for (Operation &inner : body.without_terminator())
//     copies.add(&inner, /*suffix=*/"");
//   copies.giveResult(0, copies.values.lookupOrDefault(yielded));
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_INTERNAL_BODYCOPY_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_INTERNAL_BODYCOPY_H

#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"

namespace onnxfold {

/// The reason why an operation cannot be copied as a new node, or may not
/// change; empty if there is none. The text begins with the operation. An
/// operation with bodies can be copied if everything in them can.
std::string whyNotCopied(mlir::Operation *inner, const Evaluation &evaluation);

/// `isSo` is true for the operation, for one in its bodies, or for one in the
/// functions that it calls (from `functions`; null: there are none).
bool holds(mlir::Operation *op, const mlir::SymbolTable *functions,
           llvm::function_ref<bool(mlir::Operation *)> isSo);

/// The operation contains, in the same sense, a custom operator that is not a
/// call. Such an operator may have effects, or other results each time.
bool holdsUnknown(mlir::Operation *op, const mlir::SymbolTable *functions);

class BodyCopy {
public:
  /// `function`: the callee of `op`, if its body is copied.
  BodyCopy(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
           mlir::Operation *function = nullptr)
      : op(op), evaluation(evaluation), nodes(nodes), site{op, function} {
    nodes.begin(op.getOperation());
  }

  /// Adds a copy with operands mapped by `values`, which gets the results;
  /// their names have `suffix`. `isErased` is true for operations in its bodies
  /// that are replaced.
  mlir::Operation *
  add(mlir::Operation *inner, llvm::StringRef suffix,
      llvm::function_ref<bool(mlir::Operation *)> isErased = nullptr);
  /// Adds an operation that the caller created with `nodes`.
  void addMade(mlir::Value value) { made.push_back(value.getDefiningOp()); }
  /// Rewires users of a result of the operation to `value`.
  void giveResult(unsigned result, mlir::Value value);
  /// The same for a value that the caller created and that has no name yet.
  void giveMade(unsigned result, mlir::Value value);
  /// The new operations, in order.
  llvm::SmallVector<mlir::Operation *> take() { return std::move(made); }

  mlir::IRMapping values;

private:
  bool giveName(unsigned result, mlir::Value value);

  Operator op;
  Evaluation &evaluation;
  NodeBuilder &nodes;
  CallSite site;
  llvm::SmallPtrSet<mlir::Operation *, 2> named;
  llvm::SmallPtrSet<mlir::Operation *, 16> copied;
  llvm::SmallVector<mlir::Operation *> made;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_INTERNAL_BODYCOPY_H
