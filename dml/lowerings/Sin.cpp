//===- Sin.cpp - Lowering of onnx.Sin ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = sin(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSin(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("sin", {x}); });
}

namespace onnxfold::dml {
void registerSinLowering(LoweringRegistry &registry) {
  registry.add("Sin", {7, 22}, lowerSin);
}
} // namespace onnxfold::dml
