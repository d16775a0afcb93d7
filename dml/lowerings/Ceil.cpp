//===- Ceil.cpp - Lowering of onnx.Ceil ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = ceil(x)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCeil(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return call("ceil", {x}); });
}

namespace onnxfold::dml {
void registerCeilLowering(LoweringRegistry &registry) {
  registry.add("Ceil", {1, 6, 13}, lowerCeil);
}
} // namespace onnxfold::dml
