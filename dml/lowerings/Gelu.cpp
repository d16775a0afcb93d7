//===- Gelu.cpp - Lowering of onnx.Gelu ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x / 2 * (1 + erf(x / sqrt(2))), or with a hyperbolic tangent that is near that.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGelu(LoweringContext &cx) {
  Expr x = cx.matrix(0), f;
  if (cx.op().getString("approximate", "none") == "tanh")
    f = call("tanh", {std::sqrt(2 / M_PI) * (x + 0.044715 * power(x, 3))});
  else
    f = cx.helper("erf", {x / std::sqrt(2.0)});
  cx.define(0, 0.5 * x * (1 + f));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGeluLowering(LoweringRegistry &registry) {
  registry.add("Gelu", {20}, lowerGelu);
}
} // namespace onnxfold::dml
