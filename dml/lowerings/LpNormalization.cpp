//===- LpNormalization.cpp - Lowering of onnx.LpNormalization ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Along an axis divided by the sum of absolute values, or by the root of the sum
// of squares; where that is 0 the result is 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLpNormalization(LoweringContext &cx) {
  int64_t p = cx.op().getInt("p", 2);
  if (p != 1 && p != 2)
    return Lowered::refused("p is not 1 or 2");
  return lowerAlongAxis(cx, cx.op().getInt("axis", -1), [&](Expr x) {
    Expr norm = p == 1 ? call("rowSums", {call("abs", {x})})
                       : call("sqrt", {call("rowSums", {power(x, 2)})});
    norm = cx.local("norm", norm);
    return x / choice(Expr::binary("==", norm, 0), 1, norm);
  });
}

namespace onnxfold::dml {
void registerLpNormalizationLowering(LoweringRegistry &registry) {
  registry.add("LpNormalization", {1, 22}, lowerLpNormalization);
}
} // namespace onnxfold::dml
