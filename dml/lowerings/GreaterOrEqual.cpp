//===- GreaterOrEqual.cpp - Lowering of onnx.GreaterOrEqual --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x >= y: 1 or 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGreaterOrEqual(LoweringContext &cx) {
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return Expr::binary(">=", x, y); },
      [&](Expr x, Expr y) { return Expr::binary("<=", x, y); });
}

namespace onnxfold::dml {
void registerGreaterOrEqualLowering(LoweringRegistry &registry) {
  registry.add("GreaterOrEqual", {12, 16}, lowerGreaterOrEqual);
}
} // namespace onnxfold::dml
