//===- EaseBufferization.cpp - Few uses for what is one buffer ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One-shot bufferization looks, for each operand, at all uses of all values that
// may be the same buffer: n operations on one value take n^2 steps, and n that
// write to one tensor.empty, as common subexpressions leave it, n^3.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

namespace onnxfold::sequence {
#define GEN_PASS_DEF_EASEBUFFERIZATIONPASS
#include "onnxfold/sequence/transforms/Passes.h.inc"
} // namespace onnxfold::sequence

using namespace mlir;
using namespace onnxfold::sequence;

/// Each use gets a tensor.empty of its own, where the old one is: in a loop the
/// buffer still is that of all iterations.
static void splitEmpty(tensor::EmptyOp empty) {
  if (empty->use_empty())
    return;
  OpBuilder builder(empty->getContext());
  builder.setInsertionPointAfter(empty);
  for (OpOperand &use :
       llvm::make_early_inc_range(llvm::drop_begin(empty->getUses())))
    use.set(builder.clone(*empty)->getResult(0));
}

/// A tensor that becomes an element several times is one record. The elements of
/// a construct are all records or none.
static void shareRecords(Block *block) {
  llvm::MapVector<Value, SmallVector<OpOperand *>> elements;
  for (Operation &op : *block)
    if (isa<InsertOp, ConstructOp>(op))
      for (OpOperand &operand : op.getOpOperands())
        if (isa<TensorType>(operand.get().getType()))
          elements[operand.get()].push_back(&operand);
  for (auto &[tensor, uses] : elements) {
    Operation *first = uses.front()->getOwner();
    if (uses.size() == 1 && !isa<ConstructOp>(first))
      continue;
    OpBuilder builder(first);
    Value record = RecordCopyOp::create(builder, first->getLoc(), tensor);
    for (OpOperand *use : uses)
      use->set(record);
  }
}

namespace {
struct EaseBufferizationPass
    : onnxfold::sequence::impl::EaseBufferizationPassBase<
          EaseBufferizationPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](tensor::EmptyOp empty) { splitEmpty(empty); });
    getOperation()->walk([](Block *block) { shareRecords(block); });
  }
};
} // namespace
