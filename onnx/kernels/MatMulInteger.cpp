//===- MatMulInteger.cpp - Constant kernel of onnx.MatMulInteger ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The product of matrices of 8-bit integers less their zero points (one, one
// for each row of A or column of B, or by broadcasting), to i32 that wraps.
// Spec: onnx MatMulInteger, version 10. Computed in double, which is exact.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMatMulInteger(FoldContext &cx) {
  const Elements &a = cx.input(0), &b = cx.input(1);
  if (!is8Bit(a) || !is8Bit(b))
    return Elements();
  ReasonOr<MatrixProduct> product = planProduct(cx, a, b, DataType::Int32);
  if (!product)
    return product.reason();
  ReasonOr<Elements> zeroA = readParameter(cx, 2, a, product->rowAxis(a));
  ReasonOr<Elements> zeroB = readParameter(cx, 3, b, product->columnAxis(b));
  for (const Reason &wrong : {zeroA.reason(), zeroB.reason()})
    if (wrong)
      return wrong;
  return wrapped(matmul(centred(a, *zeroA), centred(b, *zeroB)));
}

namespace onnxfold {
void registerMatMulInteger(KernelRegistry &registry) {
  registry.add("MatMulInteger", {10}, foldMatMulInteger);
}
} // namespace onnxfold
