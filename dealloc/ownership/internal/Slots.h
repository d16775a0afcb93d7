//===- Slots.h - Arguments and results that carry ownership -----*- C++ -*-===//
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SLOTS_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SLOTS_H

#include "mlir/IR/Builders.h"

namespace onnxfold::deallocation {

/// True if the operand only becomes an argument of a region or a block, or a
/// result of an operation, of those that removeUnusedSlots changes.
bool isForwarded(mlir::OpOperand &operand);

/// Removes arguments and results of type ownership that have no uses, with what
/// is passed to them. True if there were any.
bool removeUnusedSlots(mlir::Operation *function);

/// Makes `op` again, with other operands and results; of an operation with
/// segments, the last one is longer or shorter. The regions move to the new
/// one. The users of the results still use those of `op`.
mlir::Operation *makeAgain(mlir::OpBuilder &builder, mlir::Operation *op,
                           mlir::ValueRange operands, mlir::TypeRange results);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SLOTS_H
