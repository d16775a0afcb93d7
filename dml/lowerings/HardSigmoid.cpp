//===- HardSigmoid.cpp - Lowering of onnx.HardSigmoid --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = max(0, min(1, alpha * x + beta))
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerHardSigmoid(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 0.2f);
  double beta = cx.op().getFloat("beta", 0.5f);
  return lowerUnary(cx, [=](Expr x) {
    return call("max", {0, call("min", {x * alpha + beta, 1})});
  });
}

namespace onnxfold::dml {
void registerHardSigmoidLowering(LoweringRegistry &registry) {
  registry.add("HardSigmoid", {1, 6, 22}, lowerHardSigmoid);
}
} // namespace onnxfold::dml
