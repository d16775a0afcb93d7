//===- Slots.h - Arguments and results that carry ownership -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SLOTS_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SLOTS_H

#include "mlir/IR/Builders.h"

namespace onnxfold::deallocation {

/// True if the operand only becomes an argument of a region or a block, or a
/// result of an operation, of those that removeUnusedSlots changes.
bool isForwarded(mlir::OpOperand &operand);

/// Removes arguments and results of type ownership that have no uses, and the
/// operands that are passed to them. True if there were any.
bool removeUnusedSlots(mlir::Operation *function);

/// Creates a copy of `op` with other operands and results; if it has operand
/// segments, the size of the last one changes. The regions are moved to the
/// copy. The users of the results still use those of `op`.
mlir::Operation *makeAgain(mlir::OpBuilder &builder, mlir::Operation *op,
                           mlir::ValueRange operands, mlir::TypeRange results);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SLOTS_H
