//===- ReinterpretExpandShapes.cpp - Strides of memref.expand_shape -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace onnxfold {
#define GEN_PASS_DEF_REINTERPRETEXPANDSHAPESPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

/// Whether an open size follows neither from the size of the source alone, nor
/// from its quotient by the others, one of which is 0.
static bool hasUndividedSize(memref::ExpandShapeOp op) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  return llvm::any_of(op.getReassociationIndices(),
                      [&](ArrayRef<int64_t> axes) {
                        auto count = [&](int64_t size) {
                          return llvm::count_if(axes, [&](int64_t axis) {
                            return shape[axis] == size;
                          });
                        };
                        int64_t open = count(ShapedType::kDynamic);
                        return open > 1 || (open == 1 && count(0) != 0);
                      });
}

static OpFoldResult product(OpBuilder &builder, Location loc, OpFoldResult a,
                            OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return builder.getIndexAttr(*x * *y);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  return builder.createOrFold<arith::MulIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, a),
      getValueOrCreateConstantIndexOp(builder, loc, b));
}

static void reinterpret(memref::ExpandShapeOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto source =
      memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  for (auto [axes, stride] : llvm::zip_equal(
           op.getReassociationIndices(), source.getConstifiedMixedStrides())) {
    OpFoldResult inner = stride;
    for (int64_t axis : llvm::reverse(axes)) {
      strides[size_t(axis)] = inner;
      inner = product(builder, loc, inner, sizes[size_t(axis)]);
    }
  }
  Value result = memref::ReinterpretCastOp::create(
      builder, loc, op.getResultType(), source.getBaseBuffer(),
      source.getConstifiedMixedOffset(), sizes, strides);
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {

struct ReinterpretExpandShapesPass
    : onnxfold::impl::ReinterpretExpandShapesPassBase<
          ReinterpretExpandShapesPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](memref::ExpandShapeOp op) {
      if (hasUndividedSize(op))
        reinterpret(op);
    });
  }
};

} // namespace
