//===- Gemm.cpp - Lowering of onnx.Gemm ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// alpha * A %*% B + beta * C; C is not read if beta is 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGemm(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f),
         beta = cx.op().getFloat("beta", 1.0f);
  bool transA = cx.op().getInt("transA", 0) != 0,
       transB = cx.op().getInt("transB", 0) != 0;
  if (alpha == 0)
    return Lowered::refused("alpha is 0");
  if (!isFloat(cx.result().type) && (alpha != 1 || beta != 1))
    return Lowered::refused("integers would need rounding");
  if (!cx.input(1).isStatic() || (transA && !cx.input(0).isStatic()))
    return Lowered::refusedBatch("multiplies along the free batch size");
  Expr a = cx.matrix(0), b = cx.matrix(1);
  Expr y = (transA ? call("t", {a}) : a).times(transB ? call("t", {b}) : b);
  if (alpha != 1)
    y = y * alpha;
  const Shape &dims = cx.result().dims;
  auto [rows, columns] = naturalSizes(dims);
  View product{y, rows, columns};
  if (cx.hasInput(2) && beta != 0) {
    Operand c = operandOf(cx, 2);
    if (beta != 1 && c.number)
      *c.number *= beta;
    else if (beta != 1)
      c.view.expr = c.view.expr * beta;
    auto add = [](Expr p, Expr q) { return p + q; };
    product =
        broadcastBinary(cx, {product, dims, std::nullopt}, c, dims, add, add);
  }
  cx.define(0, View{wrapped(cx, product.expr, cx.result().type), product.rows,
                    product.columns});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGemmLowering(LoweringRegistry &registry) {
  registry.add("Gemm", {7, 9, 11, 13}, lowerGemm);
}
} // namespace onnxfold::dml
