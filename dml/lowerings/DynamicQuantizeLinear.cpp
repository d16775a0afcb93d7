//===- DynamicQuantizeLinear.cpp - Of onnx.DynamicQuantizeLinear ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// x as uint8, with the scale and zero point that let 0 to 255 cover all values
// and 0. Each step is rounded to float32: an integer may depend on the last bit
// of the scale. Of zeros only, the scale is 0 and so are the integers, which ONNX
// leaves undefined.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Rounding.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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
void registerDynamicQuantizeLinearLowering(LoweringRegistry &registry) {
  registry.add("DynamicQuantizeLinear", {11}, lowerDynamicQuantizeLinear);
}
} // namespace onnxfold::dml
