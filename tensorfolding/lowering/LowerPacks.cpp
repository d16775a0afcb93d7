//===- LowerPacks.cpp - Packs as what MLIR can bufferize ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

namespace onnxfold {
#define GEN_PASS_DEF_LOWERPACKSPASS
#include "onnxfold/tensorfolding/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

namespace {

struct LowerPacksPass : onnxfold::impl::LowerPacksPassBase<LowerPacksPass> {
  void runOnOperation() override {
    SmallVector<Operation *> packs;
    getOperation().walk([&](Operation *op) {
      if (isa<linalg::PackOp, linalg::UnPackOp>(op))
        packs.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : packs)
      if (failed(lower(rewriter, op)))
        return signalPassFailure();
  }

private:
  static LogicalResult lower(IRRewriter &rewriter, Operation *op) {
    bool isStatic = true;
    llvm::TypeSwitch<Operation *>(op).Case<linalg::PackOp, linalg::UnPackOp>(
        [&](auto pack) {
          isStatic =
              llvm::none_of(pack.getStaticInnerTiles(), ShapedType::isDynamic);
        });
    if (!isStatic)
      return op->emitOpError("has inner tiles of dynamic size, expected "
                             "constants: it cannot be lowered");
    rewriter.setInsertionPoint(op);
    bool lowered;
    if (auto pack = dyn_cast<linalg::PackOp>(op)) {
      // MLIR pads in every case, and ends the process without a zero to pad with.
      Type element = getElementTypeOrSelf(pack.getSource().getType());
      if (!pack.getPaddingValue() && !rewriter.getZeroAttr(element))
        return op->emitOpError("has elements of type ")
               << element << " and no padding value, expected numbers that are "
               << "not complex: it cannot be lowered";
      lowered = succeeded(linalg::lowerPack(rewriter, pack));
    } else {
      lowered =
          succeeded(linalg::lowerUnPack(rewriter, cast<linalg::UnPackOp>(op)));
    }
    return lowered ? success() : op->emitOpError("cannot be lowered");
  }
};

} // namespace
