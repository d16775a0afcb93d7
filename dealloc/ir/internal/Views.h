//===- Views.h - Which memref is a view of which ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_IR_INTERNAL_VIEWS_H
#define ONNXFOLD_DEALLOC_IR_INTERNAL_VIEWS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace onnxfold::deallocation {

/// Ranked or not.
inline bool isMemRef(mlir::Value value) {
  return mlir::isa<mlir::BaseMemRefType>(value.getType());
}

/// The memref that `value` is known to be a view of, through any number of
/// casts and subviews: both have the same allocated pointer. `value` itself if
/// it is not the result of such an operation.
mlir::Value viewSource(mlir::Value value);

/// The operand that the result of a view-like operation is a view of; null for
/// other operations.
mlir::Value viewedOperand(mlir::Operation *op);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_IR_INTERNAL_VIEWS_H
