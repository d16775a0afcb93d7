//===- QLinearMatMul.cpp - Constant kernel of onnx.QLinearMatMul ----------===//
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
  MatrixProduct product = planProduct(cx, a, b, cx.input(7).type());
  if (product.wrong)
    return *product.wrong;
  Parameter scaleA = readParameter(cx, 1, a, product.rowAxis(a));
  Parameter zeroA = readParameter(cx, 2, a, product.rowAxis(a));
  Parameter scaleB = readParameter(cx, 4, b, product.columnAxis(b));
  Parameter zeroB = readParameter(cx, 5, b, product.columnAxis(b));
  Parameter scaleY = readParameter(cx, 6, a, -1);
  Parameter zeroY = readParameter(cx, 7, a, -1);
  for (const Parameter &p : {scaleA, zeroA, scaleB, zeroB, scaleY, zeroY})
    if (p.wrong)
      return *p.wrong;
  for (const Elements &scale : {scaleA.value, scaleB.value})
    if (!product.scales(scale))
      return invalid("a scale of shape " + toString(scale.shape()) +
                     " does not fit the product of shape " +
                     toString(product.shape));
  Elements sums = matmul(centred(a, zeroA.value), centred(b, zeroB.value));
  if (isInteger(a.type()) && isInteger(b.type()))
    sums = cast(wrapped(sums), DataType::Float64);
  return requantized(sums, scaleA.value, scaleB.value, scaleY.value,
                     zeroY.value);
}

namespace onnxfold {
void registerQLinearMatMul(KernelRegistry &registry) {
  registry.add("QLinearMatMul", {10, 21}, foldQLinearMatMul);
}
} // namespace onnxfold
