//===- Ownership.h - Who keeps sequences and records alive ------*- C++ -*-===//
//
// The steps of the pass sequence-ownership.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_OWNERSHIP_H
#define ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_OWNERSHIP_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace onnxfold::sequence {

/// All uses of a buffer and of what shares memory with it.
struct BufferUses {
  llvm::SmallVector<mlir::Operation *> users;
  llvm::DenseSet<mlir::Value> values;
  bool leaves = false; // its block, by a terminator or into a loop
};
BufferUses usesOfBuffer(mlir::Value buffer);

/// Leaves out copies of buffers into records where the buffer can be a record
/// or is one, and copies buffers of records that leave their block.
void shareElements(mlir::Operation *function);

/// Inserts retain and release, so that each reference that is made is taken by
/// an operation or released, once on each path. A value is moved at its last
/// use. Fails, with a diagnostic, at operations of which it is not known
/// whether they take references.
llvm::LogicalResult insertReferenceCounts(mlir::Operation *function);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_OWNERSHIP_H
