//===- Sign.cpp - Lowering of onnx.Sign ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = sign(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSign(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("sign", {x}); });
}

namespace onnxfold::dml {
void registerSignLowering(LoweringRegistry &registry) {
  registry.add("Sign", {9, 13}, lowerSign);
}
} // namespace onnxfold::dml
