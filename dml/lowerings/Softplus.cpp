//===- Softplus.cpp - Lowering of onnx.Softplus --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = log(1 + exp(x)), in a form that does not overflow.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSoftplus(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) {
    return call("max", {x, 0}) +
           call("log", {Expr(1) + call("exp", {-call("abs", {x})})});
  });
}

namespace onnxfold::dml {
void registerSoftplusLowering(LoweringRegistry &registry) {
  registry.add("Softplus", {1, 22}, lowerSoftplus);
}
} // namespace onnxfold::dml
