//===- ReduceLogSum.cpp - Lowering of onnx.ReduceLogSum ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Logarithms of sums over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceLogSum(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerReduction(
      cx, [](Expr x) { return call("log", {call("rowSums", {x})}); });
}

namespace onnxfold::dml {
void registerReduceLogSumLowering(LoweringRegistry &registry) {
  registry.add("ReduceLogSum", {1, 11, 13, 18}, lowerReduceLogSum);
}
} // namespace onnxfold::dml
