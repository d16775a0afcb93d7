//===- Multiplication.cpp - Lowerings of matrix products ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Of floats, integers and quantized values.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/MatrixProduct.h"
#include "onnxfold/dml/support/Quantization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Matrices, or batches of them that broadcast, in a loop.
static Lowered lowerMatMul(LoweringContext &cx) {
  View product;
  Lowered made =
      matrixProduct(cx, {cx.natural(0), cx.input(0).dims, std::nullopt},
                    {cx.natural(1), cx.input(1).dims, std::nullopt}, product);
  if (!made.isDone())
    return made;
  cx.define(0, View{wrapped(cx, product.expr, cx.result().type), product.rows,
                    product.columns});
  return Lowered::done();
}

/// The product of integers of 8 bits less their zero points: one, one for each
/// row of A or column of B, or by broadcasting.
static Lowered lowerMatMulInteger(LoweringContext &cx) {
  int64_t rank = cx.input(0).rank();
  View sums;
  Lowered made =
      matrixProduct(cx, centered(cx, 0, 2, std::max<int64_t>(rank - 2, 0)),
                    centered(cx, 1, 3, cx.input(1).rank() - 1), sums);
  if (!made.isDone())
    return made;
  cx.define(0, asInt32(cx, sums, cx.input(0).dims.back()));
  return Lowered::done();
}

/// MatMulInteger, times a scale * b scale / y scale, rounded half to even, plus
/// the zero point of y, saturated. No float8.
static Lowered lowerQLinearMatMul(LoweringContext &cx) {
  for (unsigned i : {0, 3, 7})
    if (!isInteger(cx.input(i).type))
      return Lowered::refused("the matrices are not integers");
  int64_t row = std::max<int64_t>(cx.input(0).rank() - 2, 0),
          column = cx.input(3).rank() - 1;
  View sums;
  Lowered made = matrixProduct(cx, centered(cx, 0, 2, row),
                               centered(cx, 3, 5, column), sums);
  if (!made.isDone())
    return made;
  sums = asInt32(cx, sums, cx.input(0).dims.back());
  const Shape &dims = cx.result().dims;
  Operand scale = combinedScale(cx, alongAxis(cx, 1, cx.input(0).dims, {row}),
                                alongAxis(cx, 4, cx.input(3).dims, {column}),
                                alongAxis(cx, 6, dims, {0}), cx.input(1).type);
  auto times = [](Expr p, Expr q) { return p * q; };
  View y = broadcastBinary(cx, {cx.local("sums", sums), dims, std::nullopt},
                           scale, dims, times, times);
  Operand zero = alongAxis(cx, 7, dims, {0});
  cx.define(0, quantized(cx, y, dims, &zero, cx.result().type));
  return Lowered::done();
}

/// alpha * A %*% B + beta * C; C is not read if beta is 0.
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
void registerMultiplicationLowering(LoweringRegistry &registry) {
  registry.add("MatMul", {1, 9, 13}, lowerMatMul);
  registry.add("MatMulInteger", {10}, lowerMatMulInteger);
  registry.add("QLinearMatMul", {10, 21}, lowerQLinearMatMul);
  registry.add("Gemm", {7, 9, 11, 13}, lowerGemm);
}
} // namespace onnxfold::dml
