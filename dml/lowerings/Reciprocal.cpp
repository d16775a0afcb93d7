//===- Reciprocal.cpp - Lowering of onnx.Reciprocal ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = Expr(1) / x
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReciprocal(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return Expr(1) / x; });
}

namespace onnxfold::dml {
void registerReciprocalLowering(LoweringRegistry &registry) {
  registry.add("Reciprocal", {1, 6, 13}, lowerReciprocal);
}
} // namespace onnxfold::dml
