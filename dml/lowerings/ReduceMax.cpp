//===- ReduceMax.cpp - Lowering of onnx.ReduceMax ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Maxima over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceMax(LoweringContext &cx) {
  return lowerReduction(cx, [](Expr x) { return call("rowMaxs", {x}); });
}

namespace onnxfold::dml {
void registerReduceMaxLowering(LoweringRegistry &registry) {
  registry.add("ReduceMax", {1, 11, 12, 13, 18, 20}, lowerReduceMax);
}
} // namespace onnxfold::dml
