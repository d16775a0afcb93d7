//===- Acos.cpp - Lowering of onnx.Acos ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = acos(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAcos(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("acos", {x}); });
}

namespace onnxfold::dml {
void registerAcosLowering(LoweringRegistry &registry) {
  registry.add("Acos", {7, 22}, lowerAcos);
}
} // namespace onnxfold::dml
