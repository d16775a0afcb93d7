//===- LeakyRelu.cpp - Lowering of onnx.LeakyRelu ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x < 0 ? alpha * x : x
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLeakyRelu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 0.01f);
  return lowerUnary(cx, [=](Expr x) {
    return call("max", {x, 0}) + call("min", {x, 0}) * alpha;
  });
}

namespace onnxfold::dml {
void registerLeakyReluLowering(LoweringRegistry &registry) {
  registry.add("LeakyRelu", {1, 6, 16}, lowerLeakyRelu);
}
} // namespace onnxfold::dml
