//===- Adagrad.cpp - Constant kernel of onnx.training.Adagrad -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One step of ADAGRAD on tensors X with gradients G and accumulated squared
// gradients H. Spec: ai.onnx.preview.training Adagrad, version 1. In double,
// rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Optimizer.h"

using namespace onnxfold;

static FoldResult foldAdagrad(FoldContext &cx) {
  ReasonOr<UpdateCount> update = readUpdateCount(cx);
  if (!update)
    return update.reason();
  auto [rate, count] = *update;
  double decay = cx.real("decay_factor").value_or(0);
  double epsilon = cx.real("epsilon").value_or(1e-6f);
  double r = rate / (1 + double(count) * decay);
  return foldOptimizer(cx, 1, [&](OptimizedTensor &t) {
    Elements g = regularized(cx, t);
    Elements h =
        combine(t.states[0], g, [](double h, double g) { return h + g * g; });
    Elements step = combine(g, h, [=](double g, double h) {
      return r * g / (std::sqrt(h) + epsilon);
    });
    t.x = combine(t.x, step, [](double x, double s) { return x - s; });
    t.states[0] = h;
  });
}

namespace onnxfold {
void registerAdagrad(KernelRegistry &registry) {
  registry.add("training.Adagrad", {1}, foldAdagrad);
}
} // namespace onnxfold
