//===- Cosh.cpp - Lowering of onnx.Cosh ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = cosh(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCosh(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("cosh", {x}); });
}

namespace onnxfold::dml {
void registerCoshLowering(LoweringRegistry &registry) {
  registry.add("Cosh", {9, 22}, lowerCosh);
}
} // namespace onnxfold::dml
