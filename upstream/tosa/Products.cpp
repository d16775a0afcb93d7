//===- Products.cpp - Constant kernels of products in tosa ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and products of matrices.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/upstream/support/Scales.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "onnxfold/upstream/support/TosaWindows.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Products of matrices in batches, of a and b without their zero points.
/// Floats are summed in double and rounded once; sums of integers that do not
/// fit are undefined.
static FoldResult foldTosaMatmul(FoldContext &cx) {
  ReasonOr<Elements> a = withoutZeroPoint(cx, 0, 2);
  ReasonOr<Elements> b = withoutZeroPoint(cx, 1, 3);
  if (!a || !b)
    return a ? b.reason() : a.reason();
  if (a->rank() != 3 || b->rank() != 3 || a->dim(2) != b->dim(1) ||
      a->dim(0) != b->dim(0))
    return invalid("the shapes do not fit");
  if (Reason much = cx.checkWork(double(a->size()) * double(b->dim(2))))
    return much;
  DataType type = cx.resultType();
  if (!isFloat(type))
    return narrowed(ops::matmul(*a, *b), type);
  return ops::matmul(ops::cast(*a, type), ops::cast(*b, type));
}

/// a * transposed b of block-scaled matrices in batches (one of b for all of
/// a). Scaled in double, which is exact, summed in double, rounded once.
static FoldResult foldTosaMatmulTBlockScaled(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::MatmulTBlockScaledOp>(cx.operation());
  int64_t block =
      mlir::tosa::BlockSizeAttr::getBlockSizeValue(op.getBlockSize());
  ReasonOr<Elements> a = timesScales(cx.input(0), cx.input(1), block);
  ReasonOr<Elements> b = timesScales(cx.input(2), cx.input(3), block);
  if (!a || !b)
    return a ? b.reason() : a.reason();
  if (a->rank() != 3 || b->rank() != 3 || a->dim(2) != b->dim(2) ||
      (b->dim(0) != a->dim(0) && b->dim(0) != 1))
    return invalid("the shapes " + toString(a->shape()) + " and " +
                   toString(b->shape()) + " do not fit");
  if (typeClass(cx.resultType()) != TypeClass::Float)
    return Elements();
  if (Reason much = cx.checkWork(double(a->size()) * double(b->dim(1))))
    return much;
  return ops::cast(ops::matmul(*a, b->transpose({0, 2, 1})), cx.resultType());
}

namespace onnxfold::upstream {
void registerTosaProducts(KernelRegistry &registry) {
  // A convolution of [n, h, w, c] with weights [f, kh, kw, c], plus a bias.
  // Floats are summed in double and rounded once; sums of integers that do not
  // fit are undefined.
  registry.add("conv2d", {1}, [](FoldContext &cx) {
    return foldConvolution(cx, 2, /*depthwise=*/false);
  });
  // A convolution of [n, d, h, w, c] with weights [f, kd, kh, kw, c], plus a
  // bias. Floats are summed in double and rounded once; sums of integers that
  // do not fit are undefined.
  registry.add("conv3d", {1}, [](FoldContext &cx) {
    return foldConvolution(cx, 3, /*depthwise=*/false);
  });
  // A convolution of each channel of [n, h, w, c] with weights [kh, kw, c, m]
  // of its own, plus a bias. Floats are summed in double and rounded once; sums
  // of integers that do not fit are undefined.
  registry.add("depthwise_conv2d", {1}, [](FoldContext &cx) {
    return foldConvolution(cx, 2, /*depthwise=*/true);
  });
  registry.add("matmul", {1}, foldTosaMatmul);
  registry.add("matmul_t_block_scaled", {1}, foldTosaMatmulTBlockScaled);
}
} // namespace onnxfold::upstream
