//===- Asin.cpp - Lowering of onnx.Asin ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = asin(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAsin(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("asin", {x}); });
}

namespace onnxfold::dml {
void registerAsinLowering(LoweringRegistry &registry) {
  registry.add("Asin", {7, 22}, lowerAsin);
}
} // namespace onnxfold::dml
