//===- ReduceSum.cpp - Lowering of onnx.ReduceSum ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceSum(LoweringContext &cx) {
  return lowerReduction(cx, [](Expr x) { return call("rowSums", {x}); });
}

namespace onnxfold::dml {
void registerReduceSumLowering(LoweringRegistry &registry) {
  registry.add("ReduceSum", {1, 11, 13}, lowerReduceSum);
}
} // namespace onnxfold::dml
