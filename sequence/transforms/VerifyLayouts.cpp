//===- VerifyLayouts.cpp - No cast loses a layout -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// RowMajorCasts copies what would lose its layout in a cast. A pass behind it
// may make such a cast again: MLIR's verifier accepts it, and whoever reads the
// buffer gets other elements.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/sequence/transforms/internal/Layouts.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace onnxfold::sequence {
#define GEN_PASS_DEF_VERIFYLAYOUTSPASS
#include "onnxfold/sequence/transforms/Passes.h.inc"
} // namespace onnxfold::sequence

using namespace mlir;

/// A reinterpret_cast takes the address of the source's buffer, without its
/// offset: what MLIR lowers views to has a source of rank 0.
static LogicalResult verifyLayout(Operation *op) {
  if (!isa<memref::CastOp, memref::ReinterpretCastOp>(op))
    return success();
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (!onnxfold::sequence::losesLayout(from, to))
    return success();
  return op->emitOpError("loses the layout of ")
         << from << ": its result " << to << " is read as row-major";
}

namespace {
struct VerifyLayoutsPass
    : onnxfold::sequence::impl::VerifyLayoutsPassBase<VerifyLayoutsPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    WalkResult done = getOperation()->walk([](Operation *op) {
      return failed(verifyLayout(op)) ? WalkResult::interrupt()
                                      : WalkResult::advance();
    });
    if (done.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
