//===- Acosh.cpp - Lowering of onnx.Acosh --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// DML has none: helper acosh, made of logarithms.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAcosh(LoweringContext &cx) {
  return lowerUnary(cx, [&](Expr x) { return cx.helper("acosh", {x}); });
}

namespace onnxfold::dml {
void registerAcoshLowering(LoweringRegistry &registry) {
  registry.add("Acosh", {9, 22}, lowerAcosh);
}
} // namespace onnxfold::dml
