//===- QuantizeLinear.cpp - Lowering of onnx.QuantizeLinear --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// saturate(round half to even(x / scale) + zero point), for the tensor, an axis
// or blocks of it; to small floats, a cast of x / scale. The quotient is rounded
// to the type of the scale, or to `precision`, as ONNX has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Quantization.h"
#include "onnxfold/dml/support/Rounding.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Of its own type, also if it was computed: in doubles.
static Operand scaleOf(LoweringContext &cx, const QuantizedAxis &axis) {
  Operand scale = alongAxis(cx, 1, cx.input(0).dims, axis);
  if (!cx.constant(1) && cx.op().input(1).getDefiningOp()) {
    scale.view = cx.local("scale", scale.view);
    scale.view.expr = roundedTo(cx, scale.view.expr, cx.input(1).type);
    scale.view = cx.local("scale", scale.view);
  }
  return scale;
}

static Lowered lowerQuantizeLinear(LoweringContext &cx) {
  QuantizedAxis axis;
  if (Lowered checked = quantizedAxisOf(cx, axis); !checked.isDone())
    return checked;
  const Shape &dims = cx.input(0).dims;
  DataType precision = DataType(cx.op().getInt("precision", 0)),
           to = cx.result().type;
  if (precision == DataType::Undefined)
    precision = cx.input(1).type;
  auto over = [](Expr p, Expr q) { return p / q; };
  View quotients = broadcastBinary(cx, operandOf(cx, 0), scaleOf(cx, axis),
                                   dims, over, nullptr);
  quotients.expr = roundedTo(cx, quotients.expr, precision);
  std::optional<Operand> zero;
  if (cx.hasInput(2))
    zero = alongAxis(cx, 2, dims, axis);
  if (isFloat(to)) {
    // Of float8 it is 0; that of float4 is added.
    if (zero && bitWidth(to) < 8) {
      auto plus = [](Expr p, Expr q) { return p + q; };
      quotients = broadcastBinary(cx, {quotients, dims, std::nullopt}, *zero,
                                  dims, plus, plus);
    }
    quotients = cx.local("quotients", quotients);
    quotients.expr = roundedTo(cx, quotients.expr, to, conversionOptions(cx));
    cx.define(0, quotients);
  } else {
    cx.define(0, quantized(cx, quotients, dims, zero ? &*zero : nullptr, to));
  }
  return Lowered::done();
}

namespace onnxfold::dml {
void registerQuantizeLinearLowering(LoweringRegistry &registry) {
  registry.add("QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
               lowerQuantizeLinear);
}
} // namespace onnxfold::dml
