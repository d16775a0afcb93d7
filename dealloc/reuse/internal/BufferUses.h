//===- BufferUses.h - Alias set, uses and size of a buffer ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The alias set of a buffer is every value that may be a view of it, through
// control flow as well.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERUSES_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERUSES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace onnxfold::deallocation {

/// The operations that may access a buffer.
struct BufferUses {
  /// The users of its alias set and of its address, without deallocs. An
  /// operation may be listed twice.
  llvm::SmallVector<mlir::Operation *> users;
  /// The memref.deallocs of its alias set.
  llvm::SmallVector<mlir::memref::DeallocOp> deallocs;
  /// False if the buffer is stored to memory, its ownership is passed on, or
  /// it has too many users.
  bool complete = true;
};

/// Follows at most 10,000 users, in linear time.
BufferUses collectUses(mlir::Value buffer);

/// Whether a dealloc frees a buffer that its block did not allocate.
bool freesLiveIn(mlir::memref::DeallocOp dealloc);

/// The bytes of a buffer of this type; nullopt for dynamic sizes and element
/// types of unknown size.
std::optional<int64_t> bytesOf(mlir::MemRefType type);

/// The alignment that is asked for, or 0.
int64_t alignmentOf(mlir::memref::AllocOp alloc);
void raiseAlignment(mlir::memref::AllocOp alloc, int64_t alignment);

/// The results of knownAlignment for values that no step replaces: arguments of
/// blocks and results of branches. They stay valid because no step lowers an
/// alignment.
using KnownAlignments = llvm::DenseMap<mlir::Value, int64_t>;

/// The least alignment of the allocations that `value` may be; 0 if one of them
/// is not known. Follows at most 256 values, so long chains need `known`.
int64_t knownAlignment(mlir::Value value, KnownAlignments *known = nullptr);

/// Whether an operation runs its regions one after the other, in this thread, so
/// that buffers may be hoisted out of it.
bool isSequential(mlir::Operation *op);
bool isSequentialLoop(mlir::Operation *op);

/// A buffer whose live range is in one block: its only dealloc is in the block
/// of its allocation, and all uses are between them, maybe in regions.
struct LocalBuffer {
  mlir::memref::AllocOp alloc;
  mlir::memref::DeallocOp dealloc;
  mlir::Operation *lastUse; // in the block; the alloc if there is no use
};
/// nullopt for other buffers.
std::optional<LocalBuffer> asLocalBuffer(mlir::memref::AllocOp alloc);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERUSES_H
