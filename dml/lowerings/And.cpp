//===- And.cpp - Lowering of onnx.And ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x & y: 1 or 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAnd(LoweringContext &cx) {
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return Expr::binary("&", x, y); },
      [&](Expr x, Expr y) { return Expr::binary("&", x, y); });
}

namespace onnxfold::dml {
void registerAndLowering(LoweringRegistry &registry) {
  registry.add("And", {7}, lowerAnd);
}
} // namespace onnxfold::dml
