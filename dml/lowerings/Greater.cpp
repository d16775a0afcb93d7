//===- Greater.cpp - Lowering of onnx.Greater ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x > y: 1 or 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGreater(LoweringContext &cx) {
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return Expr::binary(">", x, y); },
      [&](Expr x, Expr y) { return Expr::binary("<", x, y); });
}

namespace onnxfold::dml {
void registerGreaterLowering(LoweringRegistry &registry) {
  registry.add("Greater", {7, 9, 13}, lowerGreater);
}
} // namespace onnxfold::dml
