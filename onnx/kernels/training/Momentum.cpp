//===- Momentum.cpp - Constant kernel of onnx.training.Momentum -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// One step of stochastic gradient descent with momentum V, the standard one or
// Nesterov's, on tensors X with gradients G. Spec: ai.onnx.preview.training
// Momentum, version 1. In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Optimizer.h"

using namespace onnxfold;

static FoldResult foldMomentum(FoldContext &cx) {
  ReasonOr<UpdateCount> update = readUpdateCount(cx);
  if (!update)
    return update.reason();
  auto [rate, count] = *update;
  auto mode = cx.string("mode").value_or("");
  if (mode != "standard" && mode != "nesterov")
    return invalid("attribute 'mode' is '" + mode +
                   "', expected standard or nesterov");
  if (!cx.real("alpha") || !cx.real("beta") || !cx.real("norm_coefficient"))
    return invalid(
        "attribute 'alpha', 'beta' or 'norm_coefficient' is missing");
  double alpha = *cx.real("alpha"), r = rate;
  double beta = count > 0 ? *cx.real("beta") : 1;
  return foldOptimizer(cx, 1, [&](OptimizedTensor &t) {
    Elements g = regularized(cx, t);
    Elements v = combine(t.states[0], g, [=](double v, double g) {
      return alpha * v + beta * g;
    });
    Elements step = v;
    if (mode == "nesterov")
      step = combine(g, v, [=](double g, double v) { return g + alpha * v; });
    t.x = combine(t.x, step, [=](double x, double s) { return x - r * s; });
    t.states[0] = v;
  });
}

namespace onnxfold {
void registerMomentum(KernelRegistry &registry) {
  registry.add("training.Momentum", {1}, foldMomentum);
}
} // namespace onnxfold
