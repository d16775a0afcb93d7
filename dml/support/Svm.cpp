//===- Svm.cpp - Kernels of support vector machines in DML ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Svm.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

/// |x - v|^2 as |x|^2 - 2 x . v + |v|^2, less than 0 by rounding only.
static Expr squaredDistances(LoweringContext &cx, const View &x,
                             llvm::ArrayRef<float> vectors, Expr products,
                             int64_t count) {
  int64_t features = x.columns.count;
  std::vector<double> lengths(count);
  for (int64_t i = 0; i < count * features; ++i)
    lengths[i / features] += double(vectors[i]) * vectors[i];
  Expr row = cx.constantMatrix(
      "squared_lengths", Elements::fromValues<double>({1, count}, lengths), 1,
      count);
  Expr column = call("rowSums", {power(x.expr, 2)});
  return call("max", {-2 * products + column + row, 0});
}

Expr dml::svmKernel(LoweringContext &cx, const View &x,
                    llvm::ArrayRef<float> vectors, int64_t count) {
  llvm::StringRef kind = cx.op().getString("kernel_type", "LINEAR");
  auto given = cx.op().getFloats("kernel_params");
  llvm::SmallVector<float> parameters(3, 0);
  if (given && given->size() == 3)
    parameters = *given;
  else if (given && !given->empty())
    return {};
  double gamma = parameters[0], offset = parameters[1], degree = parameters[2];
  Expr v = listMatrix(cx, "support_vectors", vectors, count, x.columns.count);
  Expr products = cx.local("products", x.expr.times(call("t", {v})));
  if (kind == "LINEAR")
    return products;
  if (kind == "RBF")
    return cx.local(
        "kernel",
        call("exp",
             {squaredDistances(cx, x, vectors, products, count) * -gamma}));
  Expr affine = products * gamma + offset;
  if (kind == "SIGMOID")
    return cx.local("kernel", call("tanh", {affine}));
  if (kind == "POLY" && degree == std::trunc(degree))
    return cx.local("kernel", power(affine, degree));
  return {};
}
