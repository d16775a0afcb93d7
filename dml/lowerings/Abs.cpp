//===- Abs.cpp - Lowering of onnx.Abs ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = abs(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAbs(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("abs", {x}); });
}

namespace onnxfold::dml {
void registerAbsLowering(LoweringRegistry &registry) {
  registry.add("Abs", {1, 6, 13}, lowerAbs);
}
} // namespace onnxfold::dml
