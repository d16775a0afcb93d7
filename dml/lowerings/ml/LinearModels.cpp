//===- LinearModels.cpp - Lowerings of linear models in ai.onnx.ml --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Scores are products of features and coefficients.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Scores.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// x * coefficients' + intercepts, the label of the largest score, and the
/// scores after post_transform. One score s of two classes stands for -s and s.
static Lowered lowerLinearClassifier(LoweringContext &cx) {
  View x = featuresOf(cx);
  std::optional<Shape> labels = labelsOf(cx, "classlabels_ints");
  auto weights = cx.op().getFloats("coefficients"),
       offsets = cx.op().getFloats("intercepts");
  if (!labels)
    return Lowered::refused("there are no labels");
  int64_t features = x.columns.count, count = offsets ? offsets->size() : 0;
  bool isBinary = count == 1 && labels->size() == 2;
  if (!weights || int64_t(weights->size()) != count * features ||
      (count != int64_t(labels->size()) && !isBinary))
    return Lowered::refused("the coefficients do not fit input and classes");
  if (isBinary && cx.op().getString("post_transform", "NONE") != "LOGISTIC")
    return Lowered::refused("one score for two classes without LOGISTIC");
  Expr w = listMatrix(cx, "coefficients", *weights, count, features);
  Expr scores = x.expr.times(call("t", {w})) +
                listMatrix(cx, "intercepts", *offsets, 1, count);
  if (isBinary) {
    Expr single = cx.local("score", scores);
    scores = call("cbind", {-single, single});
  }
  return defineClasses(cx, {scores, x.rows, {int64_t(labels->size())}},
                       *labels);
}

/// x * coefficients' + intercepts, then post_transform.
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
void registerLinearModelsLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.LinearClassifier", {1}, lowerLinearClassifier);
  registry.add("ai.onnx.ml.LinearRegressor", {1}, lowerLinearRegressor);
}
} // namespace onnxfold::dml
