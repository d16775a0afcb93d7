//===- QLinearMatMul.cpp - Constant kernel of onnx.QLinearMatMul ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The product of quantised matrices: sums of (a - a_zero) * (b - b_zero), of
// integers in i32, times a_scale * b_scale / y_scale, rounded half to even,
// plus y_zero, saturated. Scales and zero points: one, one for each row of A or
// column of B, or by broadcasting; of y one. Spec: onnx QLinearMatMul, versions
// 10, 21 (float8; scales of f16 and bf16).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A scale of each column of a matrix is one of each column of the product: the
/// last dimension of both.
static FoldResult foldQLinearMatMul(FoldContext &cx) {
  const Elements &a = cx.input(0), &b = cx.input(3);
  DataType scaleType = cx.input(1).type();
  if (cx.input(4).type() != scaleType || cx.input(6).type() != scaleType ||
      typeClass(scaleType) != TypeClass::Float)
    return invalid("the scales have different element types");
  ReasonOr<MatrixProduct> product = planProduct(cx, a, b, cx.input(7).type());
  if (!product)
    return product.reason();
  ReasonOr<Elements> scaleA = readParameter(cx, 1, a, product->rowAxis(a));
  ReasonOr<Elements> zeroA = readParameter(cx, 2, a, product->rowAxis(a));
  ReasonOr<Elements> scaleB = readParameter(cx, 4, b, product->columnAxis(b));
  ReasonOr<Elements> zeroB = readParameter(cx, 5, b, product->columnAxis(b));
  ReasonOr<Elements> scaleY = readParameter(cx, 6, a, -1);
  ReasonOr<Elements> zeroY = readParameter(cx, 7, a, -1);
  for (const Reason &wrong : {scaleA.reason(), zeroA.reason(), scaleB.reason(),
                              zeroB.reason(), scaleY.reason(), zeroY.reason()})
    if (wrong)
      return wrong;
  for (const Elements &scale : {*scaleA, *scaleB})
    if (!product->scales(scale))
      return invalid("a scale of shape " + toString(scale.shape()) +
                     " does not fit the product of shape " +
                     toString(product->shape));
  Elements sums = matmul(centred(a, *zeroA), centred(b, *zeroB));
  if (isInteger(a.type()) && isInteger(b.type()))
    sums = cast(wrapped(sums), DataType::Float64);
  return requantized(sums, *scaleA, *scaleB, *scaleY, *zeroY);
}

namespace onnxfold {
void registerQLinearMatMul(KernelRegistry &registry) {
  registry.add("QLinearMatMul", {10, 21}, foldQLinearMatMul);
}
} // namespace onnxfold
