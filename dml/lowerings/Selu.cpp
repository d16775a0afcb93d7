//===- Selu.cpp - Lowering of onnx.Selu ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = gamma * (x < 0 ? alpha * (exp(x) - 1) : x). Version 1 had other defaults.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSelu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.67326319217681884765625f);
  double gamma = cx.op().getFloat("gamma", 1.05070102214813232421875f);
  return lowerUnary(cx, [=](Expr x) {
    return (call("max", {x, 0}) +
            (call("exp", {call("min", {x, 0})}) - 1) * alpha) *
           gamma;
  });
}

namespace onnxfold::dml {
void registerSeluLowering(LoweringRegistry &registry) {
  registry.add("Selu", {6, 22}, lowerSelu);
}
} // namespace onnxfold::dml
