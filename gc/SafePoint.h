//===- SafePoint.h - Collection between rewrite patterns --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A listener for MLIR's greedy rewrite driver that declares a safe point
// (DisposablePool::safePoint) after every pattern, applied or not, and every
// fold, so that the memory of a long pass is bounded without a change of its
// patterns:
//
//   SafePointListener listener(&getContext());
//   GreedyRewriteConfig config;
//   config.setListener(&listener);
//   applyPatternsGreedily(getOperation(), patterns, config);
//
// It has an effect only in passes that a Collector watches. The pass itself
// must hold no attributes across the driver's run, unless they are pinned. A
// driver that runs inside of a pattern's rewrite declares no safe points.
//
// Use it with applyPatternsGreedily and applyOpPatternsGreedily only: other
// drivers do not notify where patterns begin, or (dialect conversion) keep
// attributes of their own for a rollback. A PDL constraint that returns new
// large attributes must pin them: the driver holds its results while it tries
// other patterns.
//
// Thread safety: one listener may serve any number of threads (as that of
// createCanonicalizerPass's config does) if `next` can.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_SAFEPOINT_H
#define ONNXFOLD_GC_SAFEPOINT_H

#include "mlir/IR/PatternMatch.h"

namespace onnxfold {

class DisposablePool;

class SafePointListener : public mlir::RewriterBase::ForwardingListener {
public:
  /// `next` is notified of everything first; it may be null. Both must outlive
  /// the listener.
  explicit SafePointListener(mlir::MLIRContext *context,
                             mlir::OpBuilder::Listener *next = nullptr);

  void notifyPatternBegin(const mlir::Pattern &pattern,
                          mlir::Operation *op) override;
  void notifyPatternEnd(const mlir::Pattern &pattern,
                        mlir::LogicalResult status) override;
  void notifyOperationModified(mlir::Operation *op) override;

private:
  DisposablePool &pool;
};

} // namespace onnxfold

#endif // ONNXFOLD_GC_SAFEPOINT_H
