//===- Elu.cpp - Lowering of onnx.Elu ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x < 0 ? alpha * (exp(x) - 1) : x
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerElu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f);
  return lowerUnary(cx, [=](Expr x) {
    return call("max", {x, 0}) +
           (call("exp", {call("min", {x, 0})}) - 1) * alpha;
  });
}

namespace onnxfold::dml {
void registerEluLowering(LoweringRegistry &registry) {
  registry.add("Elu", {1, 6, 22}, lowerElu);
}
} // namespace onnxfold::dml
