//===- ReduceMean.cpp - Lowering of onnx.ReduceMean ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Means over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceMean(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerReduction(cx, [](Expr x) { return call("rowMeans", {x}); });
}

namespace onnxfold::dml {
void registerReduceMeanLowering(LoweringRegistry &registry) {
  registry.add("ReduceMean", {1, 11, 13, 18}, lowerReduceMean);
}
} // namespace onnxfold::dml
