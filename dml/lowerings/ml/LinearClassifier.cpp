//===- LinearClassifier.cpp - Lowering of onnx.ml.LinearClassifier -------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * coefficients' + intercepts, the label of the largest score, and the scores
// after post_transform. One score s of two classes stands for -s and s.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Scores.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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

namespace onnxfold::dml {
void registerLinearClassifierLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.LinearClassifier", {1}, lowerLinearClassifier);
}
} // namespace onnxfold::dml
