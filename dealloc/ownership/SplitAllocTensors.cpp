//===- SplitAllocTensors.cpp - One alloc_tensor per use -------------------===//
//
// One-shot bufferisation gives an alloc_tensor with several uses one buffer,
// and copies where the uses conflict. Its content is undefined, so each use may
// as well have a tensor of its own.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dealloc/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using bufferization::AllocTensorOp;

namespace {

/// Gives each operand of `op` that is an alloc_tensor a clone right before it.
/// One with a `copy` operand has a content, which all uses may share.
void splitOperands(Operation *op) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (auto alloc = operand.get().getDefiningOp<AllocTensorOp>())
      if (!alloc.getCopy())
        operand.set(builder.clone(*alloc)->getResult(0));
}

struct SplitAllocTensorsPass
    : PassWrapper<SplitAllocTensorsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitAllocTensorsPass)

  StringRef getArgument() const override { return "split-alloc-tensors"; }
  StringRef getDescription() const override {
    return "gives each use of a bufferization.alloc_tensor its own";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) { operations.push_back(op); });
    llvm::for_each(operations, splitOperands);
    for (Operation *op : operations)
      if (isa<AllocTensorOp>(op) && op->use_empty())
        op->erase();
  }
};

} // namespace

std::unique_ptr<Pass> onnxfold::createSplitAllocTensorsPass() {
  return std::make_unique<SplitAllocTensorsPass>();
}
