//===- Sinh.cpp - Lowering of onnx.Sinh ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = sinh(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSinh(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("sinh", {x}); });
}

namespace onnxfold::dml {
void registerSinhLowering(LoweringRegistry &registry) {
  registry.add("Sinh", {9, 22}, lowerSinh);
}
} // namespace onnxfold::dml
