//===- Sum.cpp - Lowering of onnx.Sum ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x0 + x1 + ...
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSum(LoweringContext &cx) {
  return lowerVariadic(cx, [](Expr x, Expr y) { return x + y; });
}

namespace onnxfold::dml {
void registerSumLowering(LoweringRegistry &registry) {
  registry.add("Sum", {8, 13}, lowerSum);
}
} // namespace onnxfold::dml
