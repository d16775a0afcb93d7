//===- BufferUses.h - What may be a view of a buffer, and who uses it -----===//
// SPDX-License-Identifier: Apache-2.0
//
// The questions that every step of buffer reuse asks.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERUSES_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERUSES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace onnxfold::deallocation {

/// All operations that may access a buffer.
struct BufferUses {
  /// All users of all that may be a view of it, through control flow as well,
  /// also of its address. Terminators are among them, deallocs are not. An
  /// operation may stand here twice.
  llvm::SmallVector<mlir::Operation *> users;
  /// memref.dealloc of what may be a view of it.
  llvm::SmallVector<mlir::memref::DeallocOp> deallocs;
  /// Whether the list of users is complete. It is not if the buffer was stored
  /// to memory, if its ownership is passed on, or if there are too many users
  /// to follow.
  bool complete = true;
};

/// Time: linear in the users, of which it follows 10,000.
BufferUses collectUses(mlir::Value buffer);

/// The bytes of a buffer of this type; nullopt if sizes are dynamic, or if the
/// size of the element type is not known.
std::optional<int64_t> bytesOf(mlir::MemRefType type);

/// The attribute, or 0.
int64_t alignmentOf(mlir::memref::AllocOp alloc);
void raiseAlignment(mlir::memref::AllocOp alloc, int64_t alignment);

/// The results of knownAlignment for the values that no step replaces:
/// arguments of blocks and results of branches. Sharing buffers never makes
/// them less aligned.
using KnownAlignments = llvm::DenseMap<mlir::Value, int64_t>;

/// The alignment that the first element of `value` is known to have: the least
/// of all allocations that it may come from; 0 where one is not known. At most
/// 256 values are followed, so that long chains need `known`.
int64_t knownAlignment(mlir::Value value, KnownAlignments *known = nullptr);

/// A loop or branch that runs its regions one after the other, in this thread:
/// buffers may be moved across its border.
bool isSequential(mlir::Operation *op);
bool isSequentialLoop(mlir::Operation *op);

/// A buffer whose whole life is in one block: every use between its allocation
/// and its only dealloc, which stands in the same block.
struct LocalBuffer {
  mlir::memref::AllocOp alloc;
  mlir::memref::DeallocOp dealloc;
  mlir::Operation *lastUse; // in the block; the alloc if it is unused
};
std::optional<LocalBuffer> asLocalBuffer(mlir::memref::AllocOp alloc);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERUSES_H
