//===- SafePoint.cpp - Collection between rewrite patterns ----------------===//
// SPDX-License-Identifier: Apache-2.0

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

/// Outside of patterns this is a fold: the operation itself was changed, or the
/// operand of one that reads the result. The new values are in the module.
void SafePointListener::notifyOperationModified(mlir::Operation *op) {
  ForwardingListener::notifyOperationModified(op);
  pool.safePoint();
}
