//===- BufferReuse.cpp - Fewer allocations --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/BufferReuse.h"

#include "onnxfold/dealloc/reuse/Passes.h"
#include "onnxfold/dealloc/reuse/internal/MemoryBounds.h"
#include "onnxfold/dealloc/reuse/internal/Steps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold {
#define GEN_PASS_DEF_BUFFERREUSEPASS
#include "onnxfold/dealloc/reuse/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using namespace onnxfold;

int64_t deallocation::hoistedBytes(memref::AllocOp alloc) {
  auto bytes = alloc->getAttrOfType<IntegerAttr>(hoistedAttribute);
  return bytes ? bytes.getInt() : 0;
}

void deallocation::setHoistedBytes(memref::AllocOp alloc, int64_t bytes) {
  if (bytes)
    alloc->setAttr(hoistedAttribute, OpBuilder(alloc).getI64IntegerAttr(bytes));
  else
    alloc->removeAttr(hoistedAttribute);
}

namespace {

/// Functions with a body, callees before callers where there is no recursion.
SmallVector<FunctionOpInterface> calleesFirst(ModuleOp module) {
  SymbolTableCollection symbols;
  SmallVector<FunctionOpInterface> order;
  llvm::DenseSet<Operation *> seen;
  // (function, the callees of it that are left to look at)
  SmallVector<std::pair<FunctionOpInterface, SmallVector<FunctionOpInterface>>>
      stack;
  auto enter = [&](FunctionOpInterface function) {
    if (function.isExternal() || !seen.insert(function).second)
      return;
    SmallVector<FunctionOpInterface> callees;
    function->walk([&](CallOpInterface call) {
      if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
        if (auto callee = dyn_cast_or_null<FunctionOpInterface>(
                symbols.lookupNearestSymbolFrom(call, symbol)))
          callees.push_back(callee);
    });
    stack.emplace_back(function, std::move(callees));
  };
  module->walk([&](FunctionOpInterface function) {
    enter(function);
    while (!stack.empty()) {
      if (stack.back().second.empty()) {
        order.push_back(stack.back().first);
        stack.pop_back();
      } else {
        enter(stack.back().second.pop_back_val());
      }
    }
  });
  return order;
}

struct BufferReusePass : onnxfold::impl::BufferReusePassBase<BufferReusePass> {
  using Base::Base;

  void runOnOperation() override {
    deallocation::CalleeMemory callees(getOperation());
    SymbolTableCollection symbols;
    for (FunctionOpInterface function : calleesFirst(getOperation())) {
      deallocation::coalesceCopies(function);
      deallocation::allocateSlots(function, callees);
      deallocation::promoteToStack(function, stackBytes, symbols);
    }
    if (!markHoisted)
      getOperation()->walk(
          [](memref::AllocOp alloc) { alloc->removeAttr(hoistedAttribute); });
  }
};
} // namespace
