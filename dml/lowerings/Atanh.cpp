//===- Atanh.cpp - Lowering of onnx.Atanh --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// DML has none: helper atanh, made of logarithms.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAtanh(LoweringContext &cx) {
  return lowerUnary(cx, [&](Expr x) { return cx.helper("atanh", {x}); });
}

namespace onnxfold::dml {
void registerAtanhLowering(LoweringRegistry &registry) {
  registry.add("Atanh", {9, 22}, lowerAtanh);
}
} // namespace onnxfold::dml
