//===- Steps.h - The steps of buffer-reuse --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// In the order in which they run (BufferReuse.h).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_STEPS_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_STEPS_H

#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace onnxfold::deallocation {

/// The bytes of an allocation that were hoisted out of a loop or a branch;
/// ShapedType::kDynamic if that is all of one of dynamic size. An attribute
/// holds them while the pass runs.
int64_t hoistedBytes(mlir::memref::AllocOp alloc);
void setHoistedBytes(mlir::memref::AllocOp alloc, int64_t bytes);

void coalesceCopies(mlir::FunctionOpInterface function);

/// An allocation that is live-out of an iteration, and the dealloc of a live-in
/// buffer that can take its place in the next one.
struct Exchange {
  mlir::memref::AllocOp alloc;
  mlir::memref::DeallocOp dealloc;
};

/// The exchanges of a loop, by type, per region.
struct LoopExchanges {
  using Region = llvm::MapVector<mlir::Type, llvm::SmallVector<Exchange>>;
  llvm::SmallVector<Region> regions;

  bool empty() const;
  bool contains(mlir::memref::AllocOp alloc) const;
  /// The types of the loop-carried buffers that double buffering adds: of each
  /// type as many as the region with the most exchanges needs.
  llvm::SmallVector<mlir::Type> addedTypes() const;
};
LoopExchanges findExchanges(mlir::Operation *loop, KnownAlignments &known);

/// Returns the new loop, which has the blocks of the old one.
mlir::Operation *doubleBuffer(mlir::Operation *loop, LoopExchanges &exchanges);
/// Deallocs of the results of a loop that only permutes buffers become deallocs
/// of its operands.
void forwardDeallocs(mlir::Operation *loop);

/// Slots, hoisting and double buffering for all blocks, inner ones first.
/// REQUIRES: callees come before their callers.
class CalleeMemory;
void allocateSlots(mlir::FunctionOpInterface function, CalleeMemory &callees);

void promoteToStack(mlir::FunctionOpInterface function, int64_t bytes,
                    mlir::SymbolTableCollection &symbols);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_STEPS_H
