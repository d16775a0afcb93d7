//===- Exp.cpp - Lowering of onnx.Exp ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = exp(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerExp(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("exp", {x}); });
}

namespace onnxfold::dml {
void registerExpLowering(LoweringRegistry &registry) {
  registry.add("Exp", {1, 6, 13}, lowerExp);
}
} // namespace onnxfold::dml
