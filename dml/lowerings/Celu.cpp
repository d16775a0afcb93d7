//===- Celu.cpp - Lowering of onnx.Celu ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCelu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f);
  return lowerUnary(cx, [=](Expr x) {
    return call("max", {x, 0}) +
           call("min", {(call("exp", {x / alpha}) - 1) * alpha, 0});
  });
}

namespace onnxfold::dml {
void registerCeluLowering(LoweringRegistry &registry) {
  registry.add("Celu", {12}, lowerCelu);
}
} // namespace onnxfold::dml
