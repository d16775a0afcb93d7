//===- LinearRegressor.cpp - Lowering of onnx.ml.LinearRegressor ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * coefficients' + intercepts, then post_transform.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Scores.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLinearRegressor(LoweringContext &cx) {
  View x = featuresOf(cx);
  int64_t targets = cx.op().getInt("targets", 1), features = x.columns.count;
  auto weights = cx.op().getFloats("coefficients"),
       offsets = cx.op().getFloats("intercepts");
  if (!weights || int64_t(weights->size()) != targets * features ||
      (offsets && int64_t(offsets->size()) != targets))
    return Lowered::refused("the coefficients do not fit the input");
  Expr w = listMatrix(cx, "coefficients", *weights, targets, features);
  Expr scores = x.expr.times(call("t", {w}));
  if (offsets)
    scores = scores + listMatrix(cx, "intercepts", *offsets, 1, targets);
  return defineRegression(cx, {scores, x.rows, {targets}},
                          cx.op().getString("post_transform", "NONE"));
}

namespace onnxfold::dml {
void registerLinearRegressorLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.LinearRegressor", {1}, lowerLinearRegressor);
}
} // namespace onnxfold::dml
