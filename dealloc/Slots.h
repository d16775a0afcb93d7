//===- Slots.h - Arguments and results that carry ownership -----*- C++ -*-===//
//
// Of this folder only.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_SLOTS_H
#define ONNXFOLD_DEALLOC_SLOTS_H

#include "mlir/IR/Operation.h"

namespace onnxfold::deallocation {

/// True if the operand only becomes an argument of a region or a block, or a
/// result of an operation, of those that removeUnusedSlots changes.
bool isForwarded(mlir::OpOperand &operand);

/// Removes arguments and results of type ownership that have no uses, with what
/// is passed to them. True if there were any.
bool removeUnusedSlots(mlir::Operation *function);

/// Makes `op` again with other operands and results: those of `op` without the
/// ones set in the bit vectors. Regions move; `op` is erased.
mlir::Operation *dropOperandsAndResults(mlir::Operation *op,
                                        const llvm::BitVector &operands,
                                        const llvm::BitVector &results);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_SLOTS_H
