//===- SVMRegressor.cpp - Lowering of onnx.ml.SVMRegressor ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernel function of x and each support vector, weighted by the coefficients,
// plus rho. one_class: 1 where that is positive, -1 elsewhere.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Svm.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSVMRegressor(LoweringContext &cx) {
  View x = featuresOf(cx);
  if (cx.op().getString("post_transform", "NONE") != "NONE")
    return Lowered::refused("runtimes do not transform a single score");
  auto weights = cx.op().getFloats("coefficients"),
       vectors = cx.op().getFloats("support_vectors"),
       rho = cx.op().getFloats("rho");
  int64_t count = cx.op().getInt("n_supports", 0), features = x.columns.count;
  if (!weights || !rho || rho->empty())
    return Lowered::refused("coefficients or rho are missing");
  Expr scores;
  if (count <= 0) {
    if (int64_t(weights->size()) != features)
      return Lowered::refused("the coefficients do not fit the input");
    scores =
        x.expr.times(listMatrix(cx, "coefficients", *weights, features, 1));
  } else {
    if (!vectors || int64_t(vectors->size()) != count * features ||
        int64_t(weights->size()) != count)
      return Lowered::refused("the support vectors do not fit the input");
    Expr kernel = svmKernel(cx, x, *vectors, count);
    if (!kernel)
      return Lowered::refused("the kernel is not known");
    scores = kernel.times(listMatrix(cx, "coefficients", *weights, count, 1));
  }
  scores = scores + double((*rho)[0]);
  if (cx.op().getInt("one_class", 0) != 0)
    scores = 2 * Expr::binary(">", scores, 0) - 1;
  cx.define(0, View{scores, x.rows, {}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSVMRegressorLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.SVMRegressor", {1}, lowerSVMRegressor);
}
} // namespace onnxfold::dml
