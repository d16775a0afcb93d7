//===- Ownership.h - Who keeps sequences and records alive ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
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

/// All users of a buffer and of the values that share memory with it.
struct BufferUses {
  llvm::SmallVector<mlir::Operation *> users;
  llvm::DenseSet<mlir::Value> values;
  bool leaves = false; // its block, by a terminator or into a loop
};
BufferUses usesOfBuffer(mlir::Value buffer);

/// Erases copies of buffers into records if the buffer is a record or can be
/// one, and copies buffers of records that leave their block.
void shareElements(mlir::Operation *function);

/// Inserts retain and release, so that on each path each reference is either
/// taken by an operation or released, exactly once. A value is moved at its
/// last use. Fails with a diagnostic at an operation if it is unknown whether
/// that takes references.
llvm::LogicalResult insertReferenceCounts(mlir::Operation *function);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_OWNERSHIP_H
