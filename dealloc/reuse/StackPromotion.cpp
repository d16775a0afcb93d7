//===- StackPromotion.cpp - Small buffers on the stack --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "onnxfold/dealloc/reuse/internal/Steps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

/// Whether a function may be entered again while it runs, which would take its
/// stack several times. Declarations are assumed not to call back.
bool mayBeReentered(FunctionOpInterface function,
                    SymbolTableCollection &symbols) {
  WalkResult result = function->walk([&](CallOpInterface call) {
    auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    if (!symbol)
      return WalkResult::interrupt();
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        symbols.lookupNearestSymbolFrom(call, symbol));
    return callee && callee.isExternal() ? WalkResult::advance()
                                         : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

/// Whether the block runs at most once in each call of the function.
bool runsOnce(Block *block) {
  for (;; block = block->getParentOp()->getBlock()) {
    if (!block->isEntryBlock() || !block->hasNoPredecessors())
      return false;
    Operation *parent = block->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return true;
    if (!isSequential(parent) || isSequentialLoop(parent))
      return false;
  }
}

} // namespace

void promoteToStack(FunctionOpInterface function, int64_t bytes,
                    SymbolTableCollection &symbols) {
  if (bytes <= 0 || mayBeReentered(function, symbols))
    return;
  SmallVector<memref::AllocOp> allocs;
  function->walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  for (memref::AllocOp alloc : allocs) {
    std::optional<int64_t> size = bytesOf(alloc.getType());
    bool fitsStack = size && *size <= bytes;
    if (!fitsStack || !runsOnce(alloc->getBlock()))
      continue;
    auto local = asLocalBuffer(alloc);
    if (!local)
      continue;
    bytes -= *size;
    OpBuilder builder(alloc);
    Value onStack = memref::AllocaOp::create(
        builder, alloc.getLoc(), alloc.getType(), alloc.getDynamicSizes(),
        alloc.getSymbolOperands(), alloc.getAlignmentAttr());
    local->dealloc->erase();
    alloc.replaceAllUsesWith(onStack);
    alloc->erase();
  }
}

} // namespace onnxfold::deallocation
