//===- SVMRegressor.cpp - Constant kernel of onnx.ml.SVMRegressor ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernel function of x and each support vector (support/Svm.h), weighted by
// the coefficients, plus rho; without support vectors x times the coefficients.
// `one_class`: 1 where that is positive, -1 elsewhere. Spec: onnx.ml
// SVMRegressor, version 1. A transform is kept: runtimes leave it out. In
// double, rounded once to f32.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Svm.h"

using namespace onnxfold;

/// One score for each row.
static ReasonOr<Scores> decisionsOf(FoldContext &cx, const FeatureMatrix &x,
                                    SvmKernel kernel) {
  llvm::SmallVector<float> none, weights, vectors;
  weights = cx.reals("coefficients").value_or(none);
  vectors = cx.reals("support_vectors").value_or(none);
  int64_t count = cx.integer("n_supports").value_or(0);
  if (count <= 0) {
    // LIBLINEAR: the coefficients are the only vector.
    kernel.function = SvmFunction::Linear;
    return kernelValues(cx, kernel, x, weights, 1);
  }
  ReasonOr<Scores> values = kernelValues(cx, kernel, x, vectors, count);
  if (!values)
    return values;
  if (int64_t(weights.size()) != count)
    return invalid(llvm::Twine(weights.size()) + " coefficients for " +
                   llvm::Twine(count) + " support vectors");
  ReasonOr<Scores> result = makeScores(cx, DataType::Float32, x.rows, 1);
  if (!result)
    return result;
  for (int64_t i = 0; i < values->rows; ++i)
    for (auto [value, weight] : llvm::zip_equal(values->row(i), weights))
      result->values[i] += value * weight;
  return result;
}

static FoldResult foldSVMRegressor(FoldContext &cx) {
  ReasonOr<FeatureMatrix> x = featuresOf(cx);
  ReasonOr<SvmKernel> kernel = svmKernelOf(cx);
  ReasonOr<Transform> transform = postTransformOf(cx);
  for (const Reason &wrong : {x.reason(), kernel.reason(), transform.reason()})
    if (wrong)
      return wrong;
  auto rho = cx.reals("rho");
  if (!rho || rho->empty())
    return undefined("attribute 'rho' is missing");
  if (*transform != Transform::None)
    return undefined("runtimes do not transform a single score");
  ReasonOr<Scores> scores = decisionsOf(cx, *x, *kernel);
  if (!scores)
    return scores.reason();
  bool oneClass = cx.integer("one_class").value_or(0) != 0;
  for (double &v : scores->values) {
    v += (*rho)[0];
    if (oneClass)
      v = v > 0 ? 1 : -1;
  }
  return scores->toTensor(DataType::Float32);
}

namespace onnxfold {
void registerSVMRegressor(KernelRegistry &registry) {
  registry.add("ml.SVMRegressor", {1}, foldSVMRegressor);
}
} // namespace onnxfold
