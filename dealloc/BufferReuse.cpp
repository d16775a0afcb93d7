//===- BufferReuse.cpp - Fewer allocations --------------------------------===//
#include "onnxfold/dealloc/BufferReuse.h"

#include "onnxfold/dealloc/BufferReuseSteps.h"
#include "onnxfold/dealloc/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace onnxfold;

namespace {
struct BufferReusePass
    : PassWrapper<BufferReusePass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BufferReusePass)

  BufferReusePass() = default;
  // Options are registered with the object that they are of.
  BufferReusePass(const BufferReusePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "buffer-reuse"; }
  StringRef getDescription() const override {
    return "fewer allocations by reuse, hoisting and double buffering";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, memref::MemRefDialect>();
  }

  void runOnOperation() override {
    auto function = cast<FunctionOpInterface>(getOperation().getOperation());
    if (function.isExternal())
      return;
    deallocation::eliminateCopies(function);
    deallocation::shareBuffers(function);
    deallocation::promoteToStack(function, stackBytes);
  }

  Option<int64_t> stackBytes{
      *this, "stack-bytes",
      llvm::cl::desc("bytes of stack that a function may use for buffers"),
      llvm::cl::init(BufferReuseOptions().stackBytes)};
};
} // namespace

std::unique_ptr<Pass>
onnxfold::createBufferReusePass(const BufferReuseOptions &options) {
  auto pass = std::make_unique<BufferReusePass>();
  pass->stackBytes = options.stackBytes;
  return pass;
}
