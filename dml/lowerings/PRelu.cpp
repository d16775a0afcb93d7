//===- PRelu.cpp - Lowering of onnx.PRelu --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x < 0 ? y * x : x
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerPRelu(LoweringContext &cx) {
  return lowerBinary(
      cx,
      [&](Expr x, Expr y) {
        return call("max", {x, 0}) + call("min", {x, 0}) * y;
      },
      nullptr);
}

namespace onnxfold::dml {
void registerPReluLowering(LoweringRegistry &registry) {
  registry.add("PRelu", {7, 9, 16}, lowerPRelu);
}
} // namespace onnxfold::dml
