//===- Neg.cpp - Lowering of onnx.Neg ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = -x
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerNeg(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return -x; });
}

namespace onnxfold::dml {
void registerNegLowering(LoweringRegistry &registry) {
  registry.add("Neg", {1, 6, 13}, lowerNeg);
}
} // namespace onnxfold::dml
