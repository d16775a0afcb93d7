//===- LessOrEqual.cpp - Lowering of onnx.LessOrEqual --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x <= y: 1 or 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLessOrEqual(LoweringContext &cx) {
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return Expr::binary("<=", x, y); },
      [&](Expr x, Expr y) { return Expr::binary(">=", x, y); });
}

namespace onnxfold::dml {
void registerLessOrEqualLowering(LoweringRegistry &registry) {
  registry.add("LessOrEqual", {12, 16}, lowerLessOrEqual);
}
} // namespace onnxfold::dml
