//===- BufferReuseStack.cpp - Small buffers on the stack ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/BufferReuseSteps.h"
#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

/// Whether a function may be entered again while it runs: then its stack is
/// needed several times. Declarations are taken not to call back. Of other
/// functions nothing but that they have a body is read: they may be changing.
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

/// Whether the block runs at most once in each call of the function, and its
/// memory on the stack lives until the function returns.
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
    auto size = bytesOf(alloc.getType());
    if (!size || *size > bytes || !runsOnce(alloc->getBlock()))
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
