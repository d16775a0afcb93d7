//===- Adagrad.cpp - Lowering of onnx.training.Adagrad -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The squares of all gradients so far divide the step.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Optimizer.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAdagrad(LoweringContext &cx) {
  double decay = cx.op().getFloat("decay_factor", 0),
         epsilon = cx.op().getFloat("epsilon", 1e-6f);
  Expr rate = cx.matrix(0);
  if (decay != 0)
    rate = rate / (1 + cx.matrix(1) * decay);
  rate = cx.local("rate", call("as.scalar", {rate}));
  return lowerOptimizer(cx, 1, [&](OptimizerStep &s) {
    Expr h = cx.local("squares", s.states[0] + power(s.gradient, 2));
    s.x = s.x - s.gradient * rate / (call("sqrt", {h}) + epsilon);
    s.states[0] = h;
  });
}

namespace onnxfold::dml {
void registerAdagradLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.preview.training.Adagrad", {1}, lowerAdagrad);
}
} // namespace onnxfold::dml
