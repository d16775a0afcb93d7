//===- Sqrt.cpp - Lowering of onnx.Sqrt ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = sqrt(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSqrt(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("sqrt", {x}); });
}

namespace onnxfold::dml {
void registerSqrtLowering(LoweringRegistry &registry) {
  registry.add("Sqrt", {1, 6, 13}, lowerSqrt);
}
} // namespace onnxfold::dml
