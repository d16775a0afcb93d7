//===- Tanh.cpp - Lowering of onnx.Tanh ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = tanh(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerTanh(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("tanh", {x}); });
}

namespace onnxfold::dml {
void registerTanhLowering(LoweringRegistry &registry) {
  registry.add("Tanh", {1, 6, 13}, lowerTanh);
}
} // namespace onnxfold::dml
