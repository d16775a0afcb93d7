//===- SafePoint.cpp - Collection between rewrite patterns ----------------===//

#include "onnxfold/gc/SafePoint.h"
#include "onnxfold/gc/DisposablePool.h"

using namespace onnxfold;

SafePointListener::SafePointListener(mlir::MLIRContext *context,
                                     mlir::OpBuilder::Listener *next)
    : ForwardingListener(next), pool(DisposablePool::get(context)) {}

void SafePointListener::notifyPatternBegin(const mlir::Pattern &pattern,
                                           mlir::Operation *op) {
  ForwardingListener::notifyPatternBegin(pattern, op);
  if (DisposablePool::Activity *pass = pool.activity())
    ++pass->blocked;
}

void SafePointListener::notifyPatternEnd(const mlir::Pattern &pattern,
                                         mlir::LogicalResult status) {
  ForwardingListener::notifyPatternEnd(pattern, status);
  if (DisposablePool::Activity *pass = pool.activity())
    --pass->blocked;
  pool.safePoint();
}

// Outside of patterns these come from folding, which has put the new values
// into the module before it says that an operation changed or is superfluous,
// and from the removal of dead code.

void SafePointListener::notifyOperationModified(mlir::Operation *op) {
  ForwardingListener::notifyOperationModified(op);
  pool.safePoint();
}

void SafePointListener::notifyOperationErased(mlir::Operation *op) {
  ForwardingListener::notifyOperationErased(op);
  pool.safePoint();
}
