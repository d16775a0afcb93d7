//===- LinearRegressor.cpp - Constant kernel of onnx.ml.LinearRegressor ---===//
// SPDX-License-Identifier: Apache-2.0
//
// x * coefficients' + intercepts, then post_transform (support/Scores.h). Spec:
// onnx.ml LinearRegressor, version 1. In double, rounded once to f32.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Scores.h"

using namespace onnxfold;

static FoldResult foldLinearRegressor(FoldContext &cx) {
  ReasonOr<FeatureMatrix> x = featuresOf(cx);
  ReasonOr<Transform> transform = postTransformOf(cx);
  int64_t targets = cx.integer("targets").value_or(1);
  for (const Reason &wrong : {x.reason(), transform.reason()})
    if (wrong)
      return wrong;
  if (targets < 1)
    return invalid("attribute 'targets' is " + llvm::Twine(targets));
  ReasonOr<Scores> scores = linearScores(cx, *x, targets);
  if (!scores)
    return scores.reason();
  return regress(std::move(*scores), *transform, DataType::Float32);
}

namespace onnxfold {
void registerLinearRegressor(KernelRegistry &registry) {
  registry.add("ml.LinearRegressor", {1}, foldLinearRegressor);
}
} // namespace onnxfold
