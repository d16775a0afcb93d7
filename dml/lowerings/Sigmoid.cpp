//===- Sigmoid.cpp - Lowering of onnx.Sigmoid ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = Expr(1) / (Expr(1) + call("exp", {-x}))
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSigmoid(LoweringContext &cx) {
  return lowerUnary(
      cx, [](Expr x) { return Expr(1) / (Expr(1) + call("exp", {-x})); });
}

namespace onnxfold::dml {
void registerSigmoidLowering(LoweringRegistry &registry) {
  registry.add("Sigmoid", {1, 6, 13}, lowerSigmoid);
}
} // namespace onnxfold::dml
