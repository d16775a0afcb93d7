//===- Asinh.cpp - Lowering of onnx.Asinh --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// DML has none: helper asinh, made of logarithms.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAsinh(LoweringContext &cx) {
  return lowerUnary(cx, [&](Expr x) { return cx.helper("asinh", {x}); });
}

namespace onnxfold::dml {
void registerAsinhLowering(LoweringRegistry &registry) {
  registry.add("Asinh", {9, 22}, lowerAsinh);
}
} // namespace onnxfold::dml
