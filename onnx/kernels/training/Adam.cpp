//===- Adam.cpp - Constant kernel of onnx.training.Adam -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One step of Adam on tensors X with gradients G, averaged gradients V and
// averaged squared gradients H. Spec: ai.onnx.preview.training Adam, version 1.
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/Optimizer.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static double power(double base, double exponent) {
  wide::pow(&base, &exponent, 1);
  return base;
}

static FoldResult foldAdam(FoldContext &cx) {
  ReasonOr<UpdateCount> update = readUpdateCount(cx);
  if (!update)
    return update.reason();
  auto [rate, count] = *update;
  double alpha = cx.real("alpha").value_or(0.9f);
  double beta = cx.real("beta").value_or(0.999f);
  double epsilon = cx.real("epsilon").value_or(1e-6f);
  double post = cx.real("norm_coefficient_post").value_or(0);
  double r = count > 0 ? rate * std::sqrt(1 - power(beta, count)) /
                             (1 - power(alpha, count))
                       : rate;
  return foldOptimizer(cx, 2, [&](OptimizedTensor &t) {
    Elements g = regularized(cx, t);
    Elements v = combine(t.states[0], g, [=](double v, double g) {
      return alpha * v + (1 - alpha) * g;
    });
    Elements h = combine(t.states[1], g, [=](double h, double g) {
      return beta * h + (1 - beta) * g * g;
    });
    Elements step = combine(v, h, [=](double v, double h) {
      return r * v / (std::sqrt(h) + epsilon);
    });
    t.x = combine(t.x, step,
                  [=](double x, double s) { return (1 - post) * (x - s); });
    t.states = {v, h};
  });
}

namespace onnxfold {
void registerAdam(KernelRegistry &registry) {
  registry.add("training.Adam", {1}, foldAdam);
}
} // namespace onnxfold
