//===- BufferReuseSteps.h - The steps of buffer-reuse ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Passes.td says what each does.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERREUSESTEPS_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERREUSESTEPS_H

#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace onnxfold::deallocation {

/// What of an allocation is there earlier than in the program before, in bytes,
/// because it came out of a loop or a branch; ShapedType::kDynamic for all of
/// one whose size is not known. It is noted as an attribute while the pass
/// runs.
int64_t hoistedBytes(mlir::memref::AllocOp alloc);
void setHoistedBytes(mlir::memref::AllocOp alloc, int64_t bytes);

void eliminateCopies(mlir::FunctionOpInterface function);

/// An allocation and a dealloc of one block that are each other's.
struct Exchange {
  mlir::memref::AllocOp taken;
  mlir::memref::DeallocOp given;
};

/// What a loop can take from one iteration to the next instead of allocating,
/// by type, per region.
struct LoopExchanges {
  using Region = llvm::MapVector<mlir::Type, llvm::SmallVector<Exchange>>;
  llvm::SmallVector<Region> regions;

  bool empty() const;
  bool takes(mlir::memref::AllocOp alloc) const;
  /// As many of a type as the region that exchanges most of it.
  llvm::SmallVector<mlir::Type> spareTypes() const;
};
LoopExchanges findExchanges(mlir::Operation *loop, KnownAlignments &known);

/// Returns the new loop, which has the blocks of the old one.
mlir::Operation *doubleBuffer(mlir::Operation *loop, LoopExchanges &exchanges);
void simplifyLoop(mlir::Operation *loop);

/// Reuse and hoisting for all blocks, and double buffering of their loops.
/// Callees come before their callers.
class CallMemory;
void shareBuffers(mlir::FunctionOpInterface function, CallMemory &calls);

void promoteToStack(mlir::FunctionOpInterface function, int64_t bytes,
                    mlir::SymbolTableCollection &symbols);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERREUSESTEPS_H
