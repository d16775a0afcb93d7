//===- DequantizeLinear.cpp - Lowering of onnx.DequantizeLinear ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// (x - zero point) * scale, for the tensor, an axis or blocks of it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Quantization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerDequantizeLinear(LoweringContext &cx) {
  QuantizedAxis axis;
  if (Lowered checked = quantizedAxisOf(cx, axis); !checked.isDone())
    return checked;
  const Shape &dims = cx.input(0).dims;
  Operand x = operandOf(cx, 0);
  if (cx.hasInput(2)) {
    Operand zero = alongAxis(cx, 2, dims, axis);
    auto minus = [](Expr p, Expr q) { return p - q; };
    if (zero.number != 0.0)
      x = {broadcastBinary(cx, x, zero, dims, minus, nullptr), dims,
           std::nullopt};
  }
  auto times = [](Expr p, Expr q) { return p * q; };
  cx.define(0, broadcastBinary(cx, x, alongAxis(cx, 1, dims, axis), dims, times,
                               times));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerDequantizeLinearLowering(LoweringRegistry &registry) {
  registry.add("DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
               lowerDequantizeLinear);
}
} // namespace onnxfold::dml
