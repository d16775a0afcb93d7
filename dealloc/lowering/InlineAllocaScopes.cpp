//===- InlineAllocaScopes.cpp - memref.alloca_scope as straight code ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace onnxfold {
#define GEN_PASS_DEF_INLINEALLOCASCOPESPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

static void inlineScope(memref::AllocaScopeOp scope) {
  OpBuilder builder(scope);
  Location loc = scope.getLoc();
  Block &body = scope.getBodyRegion().front();
  Operation *end = body.getTerminator();
  Value stack = LLVM::StackSaveOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
  SmallVector<Value> results(end->getOperands());
  end->erase();
  scope->getBlock()->getOperations().splice(Block::iterator(scope),
                                            body.getOperations());
  LLVM::StackRestoreOp::create(builder, loc, stack);
  scope->replaceAllUsesWith(results);
  scope.erase();
}

namespace {

struct InlineAllocaScopesPass
    : onnxfold::impl::InlineAllocaScopesPassBase<InlineAllocaScopesPass> {
  using Base::Base;

  void runOnOperation() override { getOperation().walk(inlineScope); }
};

} // namespace
