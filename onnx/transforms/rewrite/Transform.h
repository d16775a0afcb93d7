//===- Transform.h - One kind of rewrite, visited per operation -*- C++ -*-===//
//
// A transform visits the operations of a graph in the order of the evaluation:
// when it visits one, its operands are final, and its users will be evaluated
// with the operands that they have then. CleanUp.h has the transforms and their
// order.
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

  /// A walk begins.
  virtual void begin() {}
  /// At every operation, also where it folds, may not change or is custom. True
  /// if no other transform is to look at it.
  virtual bool visitAny(mlir::Operation *) { return false; }
  /// At operations that may be replaced (RewriteSession::mayBeErased), after
  /// visitAny() of all transforms. True if no other is to look at it: it is
  /// replaced.
  virtual bool visit(const CleanUpContext &) { return false; }
  /// The walk has ended. True if another one would find more, for reasons that
  /// the session does not know.
  virtual bool finish() { return false; }
  /// After finish() of all transforms, where nothing became known that another
  /// walk could use: until one of them has done something, which is true.
  virtual bool finishLast() { return false; }
  /// After the last walk: the budget left some of the plan out. True if
  /// something has taken the place of that, and the plan must be made anew.
  virtual bool finishPlan(const FoldPlan &) { return false; }

protected:
  RewriteSession &session;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_TRANSFORM_H
