//===- ThresholdedRelu.cpp - Lowering of onnx.ThresholdedRelu ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x > alpha ? x : 0
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerThresholdedRelu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f);
  return lowerUnary(
      cx, [=](Expr x) { return choice(Expr::binary(">", x, alpha), x, 0); });
}

namespace onnxfold::dml {
void registerThresholdedReluLowering(LoweringRegistry &registry) {
  registry.add("ThresholdedRelu", {10, 22}, lowerThresholdedRelu);
}
} // namespace onnxfold::dml
