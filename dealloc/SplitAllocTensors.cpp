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

/// Gives each use of `alloc` a clone right before its user. One with a `copy`
/// operand has a content, which all uses may share.
void splitUses(AllocTensorOp alloc) {
  if (alloc.getCopy())
    return;
  for (OpOperand &use : llvm::make_early_inc_range(alloc->getUses())) {
    OpBuilder builder(use.getOwner());
    use.set(builder.clone(*alloc)->getResult(0));
  }
  alloc.erase();
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
    SmallVector<AllocTensorOp> allocs;
    getOperation().walk([&](AllocTensorOp op) { allocs.push_back(op); });
    for (AllocTensorOp alloc : allocs)
      splitUses(alloc);
  }
};

} // namespace

std::unique_ptr<Pass> onnxfold::createSplitAllocTensorsPass() {
  return std::make_unique<SplitAllocTensorsPass>();
}
