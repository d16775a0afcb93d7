//===- Softsign.cpp - Lowering of onnx.Softsign --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x / (Expr(1) + call("abs", {x}))
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSoftsign(LoweringContext &cx) {
  return lowerUnary(cx,
                    [](Expr x) { return x / (Expr(1) + call("abs", {x})); });
}

namespace onnxfold::dml {
void registerSoftsignLowering(LoweringRegistry &registry) {
  registry.add("Softsign", {1, 22}, lowerSoftsign);
}
} // namespace onnxfold::dml
