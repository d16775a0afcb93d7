//===- Div.cpp - Lowering of onnx.Div ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x / y; of integers, rounded to zero.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerDiv(LoweringContext &cx) {
  bool isWhole = !isFloat(cx.result().type);
  auto quotient = [&](Expr x, Expr y) {
    if (!isWhole)
      return x / y;
    Expr q = cx.local("quotient", x / y);
    return call("sign", {q}) * call("floor", {call("abs", {q})});
  };
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return quotient(x, y); }, nullptr);
}

namespace onnxfold::dml {
void registerDivLowering(LoweringRegistry &registry) {
  registry.add("Div", {7, 13, 14}, lowerDiv);
}
} // namespace onnxfold::dml
