//===- ReduceMin.cpp - Lowering of onnx.ReduceMin ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Minima over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceMin(LoweringContext &cx) {
  return lowerReduction(cx, [](Expr x) { return call("rowMins", {x}); });
}

namespace onnxfold::dml {
void registerReduceMinLowering(LoweringRegistry &registry) {
  registry.add("ReduceMin", {1, 11, 12, 13, 18, 20}, lowerReduceMin);
}
} // namespace onnxfold::dml
