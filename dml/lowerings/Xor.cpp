//===- Xor.cpp - Lowering of onnx.Xor ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x != y: 1 or 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerXor(LoweringContext &cx) {
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return Expr::binary("!=", x, y); },
      [&](Expr x, Expr y) { return Expr::binary("!=", x, y); });
}

namespace onnxfold::dml {
void registerXorLowering(LoweringRegistry &registry) {
  registry.add("Xor", {7}, lowerXor);
}
} // namespace onnxfold::dml
