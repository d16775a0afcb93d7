//===- Log.cpp - Lowering of onnx.Log ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = log(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLog(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("log", {x}); });
}

namespace onnxfold::dml {
void registerLogLowering(LoweringRegistry &registry) {
  registry.add("Log", {1, 6, 13}, lowerLog);
}
} // namespace onnxfold::dml
