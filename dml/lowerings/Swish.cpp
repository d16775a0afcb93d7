//===- Swish.cpp - Lowering of onnx.Swish --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x / (1 + exp(-alpha * x)).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSwish(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f);
  return lowerUnary(cx, [&](Expr x) {
    return x * call("sigmoid", {alpha == 1 ? x : x * alpha});
  });
}

namespace onnxfold::dml {
void registerSwishLowering(LoweringRegistry &registry) {
  registry.add("Swish", {24}, lowerSwish);
}
} // namespace onnxfold::dml
