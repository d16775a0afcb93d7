//===- LinearRegressor.cpp - Constant kernel of onnx.ml.LinearRegressor ---===//
//
// x * coefficients' + intercepts, then post_transform (support/Scores.h). Spec:
// onnx.ml LinearRegressor, version 1. In double, rounded once to f32.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Scores.h"

using namespace onnxfold;

static FoldResult foldLinearRegressor(FoldContext &cx) {
  FeatureMatrix x = featuresOf(cx);
  PostTransform transform = postTransformOf(cx);
  int64_t targets = cx.integer("targets").value_or(1);
  if (x.wrong || transform.wrong)
    return x.wrong ? *x.wrong : *transform.wrong;
  if (targets < 1)
    return invalid("attribute 'targets' is " + llvm::Twine(targets));
  Scores scores = linearScores(cx, x, targets);
  if (scores.wrong)
    return *scores.wrong;
  return regress(std::move(scores), transform.kind, DataType::Float32);
}

namespace onnxfold {
void registerLinearRegressor(KernelRegistry &registry) {
  registry.add("ml.LinearRegressor", {1}, foldLinearRegressor);
}
} // namespace onnxfold
