//===- Erf.cpp - Lowering of onnx.Erf ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Helper erf: rational functions.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerErf(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerUnary(cx, [&](Expr x) { return cx.helper("erf", {x}); });
}

namespace onnxfold::dml {
void registerErfLowering(LoweringRegistry &registry) {
  registry.add("Erf", {9, 13}, lowerErf);
}
} // namespace onnxfold::dml
