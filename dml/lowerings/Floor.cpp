//===- Floor.cpp - Lowering of onnx.Floor --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = floor(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerFloor(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("floor", {x}); });
}

namespace onnxfold::dml {
void registerFloorLowering(LoweringRegistry &registry) {
  registry.add("Floor", {1, 6, 13}, lowerFloor);
}
} // namespace onnxfold::dml
