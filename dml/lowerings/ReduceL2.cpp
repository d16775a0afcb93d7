//===- ReduceL2.cpp - Lowering of onnx.ReduceL2 --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Roots of sums of squares over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceL2(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerReduction(cx, [](Expr x) {
    return call("sqrt", {call("rowSums", {power(x, 2)})});
  });
}

namespace onnxfold::dml {
void registerReduceL2Lowering(LoweringRegistry &registry) {
  registry.add("ReduceL2", {1, 11, 13, 18}, lowerReduceL2);
}
} // namespace onnxfold::dml
