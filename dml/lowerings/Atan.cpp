//===- Atan.cpp - Lowering of onnx.Atan ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = atan(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAtan(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("atan", {x}); });
}

namespace onnxfold::dml {
void registerAtanLowering(LoweringRegistry &registry) {
  registry.add("Atan", {7, 22}, lowerAtan);
}
} // namespace onnxfold::dml
