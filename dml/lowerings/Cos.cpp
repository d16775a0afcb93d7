//===- Cos.cpp - Lowering of onnx.Cos ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = cos(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCos(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("cos", {x}); });
}

namespace onnxfold::dml {
void registerCosLowering(LoweringRegistry &registry) {
  registry.add("Cos", {7, 22}, lowerCos);
}
} // namespace onnxfold::dml
