//===- Or.cpp - Lowering of onnx.Or --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x | y: 1 or 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerOr(LoweringContext &cx) {
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return Expr::binary("|", x, y); },
      [&](Expr x, Expr y) { return Expr::binary("|", x, y); });
}

namespace onnxfold::dml {
void registerOrLowering(LoweringRegistry &registry) {
  registry.add("Or", {7}, lowerOr);
}
} // namespace onnxfold::dml
