//===- Optimizers.cpp - Lowerings of ai.onnx.preview.training -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// See support/Optimizer.h.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Optimizer.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// The squares of all gradients so far divide the step.
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

/// Averages of gradients and of their squares, whose bias at the start is
/// corrected by the number of the step.
static Lowered lowerAdam(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 0.9f),
         beta = cx.op().getFloat("beta", 0.999f),
         epsilon = cx.op().getFloat("epsilon", 1e-6f),
         post = cx.op().getFloat("norm_coefficient_post", 0);
  Expr t = cx.matrix(1), given = cx.matrix(0);
  Expr corrected =
      given * call("sqrt", {1 - power(beta, t)}) / (1 - power(alpha, t));
  corrected = cx.local("corrected", corrected);
  Expr rate = call("ifelse", {Expr::binary(">", t, 0), corrected, given});
  rate = cx.local("rate", call("as.scalar", {rate}));
  return lowerOptimizer(cx, 2, [&](OptimizerStep &s) {
    Expr v =
        cx.local("average", s.states[0] * alpha + s.gradient * (1 - alpha));
    Expr h = cx.local("squares",
                      s.states[1] * beta + power(s.gradient, 2) * (1 - beta));
    s.x = s.x - v * rate / (call("sqrt", {h}) + epsilon);
    if (post != 0)
      s.x = (s.x) * (1 - post);
    s.states = {v, h};
  });
}

/// Gradients are added to what is left of those before; nesterov looks one step
/// ahead.
static Lowered lowerMomentum(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 0),
         beta = cx.op().getFloat("beta", 0);
  bool isNesterov = cx.op().getString("mode", "standard") == "nesterov";
  Expr rate = cx.local("rate", call("as.scalar", {cx.matrix(0)}));
  // 1 in the first step.
  Expr first = Expr::binary("<=", cx.matrix(1), 0);
  Expr factor =
      cx.local("factor", call("as.scalar", {first + (1 - first) * beta}));
  return lowerOptimizer(cx, 1, [&](OptimizerStep &s) {
    Expr v = cx.local("momentum", s.states[0] * alpha + s.gradient * factor);
    s.x = s.x - (isNesterov ? s.gradient + v * alpha : v) * rate;
    s.states[0] = v;
  });
}

namespace onnxfold::dml {
void registerOptimizersLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.preview.training.Adagrad", {1}, lowerAdagrad);
  registry.add("ai.onnx.preview.training.Adam", {1}, lowerAdam);
  registry.add("ai.onnx.preview.training.Momentum", {1}, lowerMomentum);
}
} // namespace onnxfold::dml
