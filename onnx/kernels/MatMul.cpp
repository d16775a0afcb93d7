//===- MatMul.cpp - Constant kernel of onnx.MatMul ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The product of matrices as numpy.matmul has it: 1-D operands are a row and a
// column, leading dimensions broadcast. Spec: onnx MatMul, versions 1, 9
// (integers, which wrap), 13.
// Sums are accumulated in double and rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMatMul(FoldContext &cx) {
  const Elements &a = cx.input(0), &b = cx.input(1);
  if (Reason mismatch = checkSameType(cx))
    return mismatch;
  std::optional<Shape> shape = matmulShape(a.shape(), b.shape());
  if (!shape)
    return invalid("shapes " + toString(a.shape()) + " and " +
                   toString(b.shape()) + " do not multiply");
  if (Reason limit = cx.checkResult(a.type(), *shape))
    return limit;
  if (Reason limit = cx.checkWork(workOfProducts(*shape, a), 1))
    return limit;
  return matmul(a, b);
}

namespace onnxfold {
void registerMatMul(KernelRegistry &registry) {
  registry.add("MatMul", {1, 9, 13}, foldMatMul);
}
} // namespace onnxfold
