//===- ReduceSumSquare.cpp - Lowering of onnx.ReduceSumSquare ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums of squares over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceSumSquare(LoweringContext &cx) {
  return lowerReduction(cx,
                        [](Expr x) { return call("rowSums", {power(x, 2)}); });
}

namespace onnxfold::dml {
void registerReduceSumSquareLowering(LoweringRegistry &registry) {
  registry.add("ReduceSumSquare", {1, 11, 13, 18}, lowerReduceSumSquare);
}
} // namespace onnxfold::dml
