//===- Relu.cpp - Lowering of onnx.Relu ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = call("max", {x, 0})
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerRelu(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("max", {x, 0}); });
}

namespace onnxfold::dml {
void registerReluLowering(LoweringRegistry &registry) {
  registry.add("Relu", {1, 6, 13, 14}, lowerRelu);
}
} // namespace onnxfold::dml
