//===- QLinearMatMul.cpp - Lowering of onnx.QLinearMatMul ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// MatMulInteger, times a scale * b scale / y scale, rounded half to even, plus
// the zero point of y, saturated. No float8.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/MatrixProduct.h"
#include "onnxfold/dml/support/Quantization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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

namespace onnxfold::dml {
void registerQLinearMatMulLowering(LoweringRegistry &registry) {
  registry.add("QLinearMatMul", {10, 21}, lowerQLinearMatMul);
}
} // namespace onnxfold::dml
