//===- Quantizing.cpp - Lowerings of quantization -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers and small floats with a scale and a zero point.
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

/// saturate(round half to even(x / scale) + zero point), for the tensor, an axis
/// or blocks of it; to small floats, a cast of x / scale. The quotient is
/// rounded to the type of the scale, or to `precision`, as ONNX has it.
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

/// (x - zero point) * scale, for the tensor, an axis or blocks of it.
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

/// x as uint8, with the scale and zero point that let 0 to 255 cover all values
/// and 0. Each step is rounded to float32: an integer may depend on the last
/// bit of the scale. Of zeros only, the scale is 0 and so are the integers,
/// which ONNX leaves undefined.
static Lowered lowerDynamicQuantizeLinear(LoweringContext &cx) {
  View x = cx.natural(0);
  View row = cx.local("row", cx.reshape(x, {}, sizeOf(cx.input(0).dims)));
  auto rounded = [&](llvm::StringRef hint, const Expr &value) {
    return cx.local(hint, roundedTo(cx, value, DataType::Float32));
  };
  Expr low = cx.local("low", call("min", {call("rowMins", {row.expr}), 0}));
  Expr high = cx.local("high", call("max", {call("rowMaxs", {row.expr}), 0}));
  Expr span = rounded("span", high - low);
  Expr scale = rounded("scale", span / 255);
  Expr divisor =
      cx.local("divisor", choice(Expr::binary("==", scale, 0), 1, scale));
  Expr zero = cx.local(
      "zero",
      call("min", {roundedHalfEven(rounded("quotient", -low / divisor)), 255}));
  Expr quotients = rounded("quotients", x.expr / divisor);
  cx.define(0, call("min", {call("max", {roundedHalfEven(quotients) + zero, 0}),
                            255}));
  if (cx.isUsed(1))
    cx.define(1, scale);
  if (cx.isUsed(2))
    cx.define(2, zero);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerQuantizingLowering(LoweringRegistry &registry) {
  registry.add("QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
               lowerQuantizeLinear);
  registry.add("DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
               lowerDequantizeLinear);
  registry.add("DynamicQuantizeLinear", {11}, lowerDynamicQuantizeLinear);
}
} // namespace onnxfold::dml
