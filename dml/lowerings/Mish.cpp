//===- Mish.cpp - Lowering of onnx.Mish ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * tanh(log(1 + exp(x))). With f = exp(-|x|) the hyperbolic tangent is
// (1 + 2 f) / (1 + 2 f + 2 f^2) for x > 0, and f (f + 2) / (f (f + 2) + 2)
// below: no exponential of a large number, no logarithm.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMish(LoweringContext &cx) {
  Expr x = cx.matrix(0);
  Expr f = cx.local("f", call("exp", {-call("abs", {x})}));
  Expr n = cx.local("n", f * (f + 2)), p = cx.local("p", 1 + 2 * f);
  cx.define(0, x * call("ifelse", {Expr::binary(">", x, 0),
                                   p / (p + 2 * power(f, 2)), n / (n + 2)}));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerMishLowering(LoweringRegistry &registry) {
  registry.add("Mish", {18, 22}, lowerMish);
}
} // namespace onnxfold::dml
