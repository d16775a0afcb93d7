//===- Transform.h - One kind of rewrite, visited per operation -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A transform visits the operations of a graph in the order of the evaluation:
// when it visits an operation, the operands are final, and the users will be
// evaluated with the operands that the transform gives them. CleanUp.h has the
// transforms and their order.
//
//   struct Example : Transform {
//     using Transform::Transform;
//     bool visit(const CleanUpContext &cx) override {
//       return session.replace(cx.op.getOperation(), ..., "example");
//     }
//   };
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_TRANSFORM_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_TRANSFORM_H

#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"

namespace onnxfold {

class Transform {
public:
  explicit Transform(RewriteSession &session) : session(session) {}
  virtual ~Transform() = default;

  /// Called when a walk begins.
  virtual void begin() {}
  /// Called for every operation, even if it folds, may not change or is custom.
  /// True if no other transform should look at it.
  virtual bool visitAny(mlir::Operation *) { return false; }
  /// Called for operations that may be replaced (RewriteSession::mayBeErased),
  /// after visitAny() of all transforms. True if the operation is replaced, so
  /// that no other transform should look at it.
  virtual bool visit(const CleanUpContext &) { return false; }
  /// Called when the walk has ended. True if another walk would find more, for
  /// reasons that the session does not know.
  virtual bool finish() { return false; }
  /// Called after finish() of all transforms if no other walk is needed, for
  /// one transform after the other until one returns true. True if it changed
  /// something.
  virtual bool finishLast() { return false; }
  /// Called after the last walk if the budget left out some of the plan. True
  /// if the transform replaced some of that, so that the plan must be made
  /// again.
  virtual bool finishPlan(const FoldPlan &) { return false; }

protected:
  RewriteSession &session;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_TRANSFORM_H
