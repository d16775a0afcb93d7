//===- TreeEnsembleRegressor.cpp - Lowering of onnx.ml.TreeEnsembleRegressor ===//
// SPDX-License-Identifier: Apache-2.0
//
// The votes of trees for each target, aggregated, plus base_values, then
// post_transform.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Forest.h"
#include "onnxfold/dml/support/Scores.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerTreeEnsembleRegressor(LoweringContext &cx) {
  int64_t targets = cx.op().getInt("n_targets", 0);
  ReasonOr<Forest> forest = forestOf(cx, {"target", targets});
  ReasonOr<std::vector<double>> base = baseValuesOf(cx, targets);
  for (const Reason &wrong : {forest.reason(), base.reason()})
    if (wrong)
      return Lowered::refused(wrong.text);
  View scores;
  if (Lowered wrong = countVotes(
          cx, *forest, cx.op().getString("aggregate_function", "SUM"), scores);
      !wrong.isDone())
    return wrong;
  scores.expr = plusRow(cx, scores.expr, "base_values", *base);
  return defineRegression(cx, scores,
                          cx.op().getString("post_transform", "NONE"));
}

namespace onnxfold::dml {
void registerTreeEnsembleRegressorLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.TreeEnsembleRegressor", {1, 3, 5},
               lowerTreeEnsembleRegressor);
}
} // namespace onnxfold::dml
