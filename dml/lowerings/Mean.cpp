//===- Mean.cpp - Lowering of onnx.Mean ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sum of all inputs over their number.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMean(LoweringContext &cx) {
  double count = cx.numInputs();
  return lowerVariadic(
      cx, [](Expr x, Expr y) { return x + y; },
      [&](Expr sum) { return count == 1 ? sum : sum / count; });
}

namespace onnxfold::dml {
void registerMeanLowering(LoweringRegistry &registry) {
  registry.add("Mean", {6, 8, 13}, lowerMean);
}
} // namespace onnxfold::dml
