//===- HardSwish.cpp - Lowering of onnx.HardSwish ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x * call("max", {0, call("min", {x / 6 + 0.5, 1})})
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerHardSwish(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) {
    return x * call("max", {0, call("min", {x / 6 + 0.5, 1})});
  });
}

namespace onnxfold::dml {
void registerHardSwishLowering(LoweringRegistry &registry) {
  registry.add("HardSwish", {14, 22}, lowerHardSwish);
}
} // namespace onnxfold::dml
