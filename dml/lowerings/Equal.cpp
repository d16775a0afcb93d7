//===- Equal.cpp - Lowering of onnx.Equal --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x == y: 1 or 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerEqual(LoweringContext &cx) {
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return Expr::binary("==", x, y); },
      [&](Expr x, Expr y) { return Expr::binary("==", x, y); });
}

namespace onnxfold::dml {
void registerEqualLowering(LoweringRegistry &registry) {
  registry.add("Equal", {7, 11, 13, 19}, lowerEqual);
}
} // namespace onnxfold::dml
