//===- SplitAllocTensors.cpp - One alloc_tensor per use -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace onnxfold {
#define GEN_PASS_DEF_SPLITALLOCTENSORSPASS
#include "onnxfold/dealloc/ownership/Passes.h.inc"
} // namespace onnxfold

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
    : onnxfold::impl::SplitAllocTensorsPassBase<SplitAllocTensorsPass> {
  using Base::Base;

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
