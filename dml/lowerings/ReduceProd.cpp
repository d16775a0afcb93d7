//===- ReduceProd.cpp - Lowering of onnx.ReduceProd ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Products over axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceProd(LoweringContext &cx) {
  return lowerReduction(cx, [](Expr x) { return call("rowProds", {x}); });
}

namespace onnxfold::dml {
void registerReduceProdLowering(LoweringRegistry &registry) {
  registry.add("ReduceProd", {1, 11, 13, 18}, lowerReduceProd);
}
} // namespace onnxfold::dml
