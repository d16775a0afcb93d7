//===- Gemm.cpp - Constant kernel of onnx.Gemm ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Y = alpha * A' * B' + beta * C, of matrices, transposed first if transA,
// transB say so; C broadcasts to the result. Spec: onnx Gemm, versions 1, 6 (C
// broadcasts if attribute `broadcast` is 1), 7, 9 (integers), 11 (C optional),
// 13.
// In double, rounded once; C is not looked at where beta is 0. Integers wrap;
// with an alpha or beta that is not whole they are computed in double and the
// fraction is cut off, as the reference evaluator does it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/Casting.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static bool isWhole(double v) {
  return v == std::trunc(v) && std::fabs(v) < 0x1p63;
}

static FoldResult gemmInDouble(const Elements &a, const Elements &b,
                               const Elements &c, const GemmOptions &options) {
  Elements y = gemm(cast(a, DataType::Float64), cast(b, DataType::Float64),
                    c ? cast(c, DataType::Float64) : c, options)
                   .materialize();
  if (Reason outside = findOutOfRange(y, a.type()))
    return outside;
  return cast(y, a.type());
}

static FoldResult foldGemm(FoldContext &cx) {
  const Elements &a = cx.input(0), &b = cx.input(1);
  Elements c = cx.hasInput(2) ? cx.input(2) : Elements();
  GemmOptions options;
  options.alpha = cx.real("alpha").value_or(1);
  options.beta = cx.real("beta").value_or(1);
  options.transA = cx.integer("transA").value_or(0) != 0;
  options.transB = cx.integer("transB").value_or(0) != 0;
  if (b.type() != a.type() || (c && c.type() != a.type()))
    return invalid("inputs have different element types");
  if (a.rank() != 2 || b.rank() != 2 ||
      a.dim(!options.transA) != b.dim(options.transB))
    return invalid("shapes " + toString(a.shape()) + " and " +
                   toString(b.shape()) + " do not multiply");
  Shape shape = {a.dim(options.transA), b.dim(!options.transB)};
  bool broadcasts = cx.version() >= 7 || cx.integer("broadcast").value_or(0);
  if (c && (broadcasts ? broadcastShapes(shape, c.shape()) != shape
                       : c.shape() != ShapeRef(shape)))
    return invalid("C has shape " + toString(c.shape()) +
                   ", which does not broadcast to " + toString(shape));
  if (Reason limit = cx.checkResult(a.type(), shape))
    return limit;
  double depth = a.dim(!options.transA);
  if (Reason limit = cx.checkWork(
          double(numElements(shape)) * (depth * unitsOfMultiplyAdd + 50), 1))
    return limit;
  if (options.beta == 0)
    c = {};
  if (isInteger(a.type()) && !(isWhole(options.alpha) && isWhole(options.beta)))
    return gemmInDouble(a, b, c, options);
  return gemm(a, b, c, options);
}

namespace onnxfold {
void registerGemm(KernelRegistry &registry) {
  registry.add("Gemm", {1, 6, 7, 9, 11, 13}, foldGemm);
}
} // namespace onnxfold
