//===- ReduceL1.cpp - Lowering of onnx.ReduceL1 --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums of absolute values over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceL1(LoweringContext &cx) {
  return lowerReduction(
      cx, [](Expr x) { return call("rowSums", {call("abs", {x})}); });
}

namespace onnxfold::dml {
void registerReduceL1Lowering(LoweringRegistry &registry) {
  registry.add("ReduceL1", {1, 11, 13, 18}, lowerReduceL1);
}
} // namespace onnxfold::dml
