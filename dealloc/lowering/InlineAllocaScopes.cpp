//===- InlineAllocaScopes.cpp - memref.alloca_scope as straight code ------===//
//
// finalize-memref-to-llvm cannot lower a memref.alloca_scope whose results are
// memrefs, and its body could not hold the blocks that loops become. The body
// is one block, so that it can stand between saving and restoring the stack.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dealloc/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

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
    : PassWrapper<InlineAllocaScopesPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineAllocaScopesPass)

  StringRef getArgument() const override { return "inline-alloca-scopes"; }
  StringRef getDescription() const override {
    return "memref.alloca_scope as its body between llvm.intr.stacksave and "
           "llvm.intr.stackrestore";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }
  void runOnOperation() override { getOperation().walk(inlineScope); }
};

} // namespace

std::unique_ptr<Pass> onnxfold::createInlineAllocaScopesPass() {
  return std::make_unique<InlineAllocaScopesPass>();
}
