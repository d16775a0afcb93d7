//===- IsNaN.cpp - Lowering of onnx.IsNaN --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = isNaN(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerIsNaN(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("isNaN", {x}); });
}

namespace onnxfold::dml {
void registerIsNaNLowering(LoweringRegistry &registry) {
  registry.add("IsNaN", {9, 13, 20}, lowerIsNaN);
}
} // namespace onnxfold::dml
