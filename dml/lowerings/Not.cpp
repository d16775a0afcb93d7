//===- Not.cpp - Lowering of onnx.Not ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = 1 - x, not !x: SystemDS turns !(a > b) into a <= b, which is wrong for NaN.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerNot(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return Expr(1) - x; });
}

namespace onnxfold::dml {
void registerNotLowering(LoweringRegistry &registry) {
  registry.add("Not", {1}, lowerNot);
}
} // namespace onnxfold::dml
