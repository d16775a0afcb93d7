//===- Tan.cpp - Lowering of onnx.Tan ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = tan(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerTan(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("tan", {x}); });
}

namespace onnxfold::dml {
void registerTanLowering(LoweringRegistry &registry) {
  registry.add("Tan", {7, 22}, lowerTan);
}
} // namespace onnxfold::dml
