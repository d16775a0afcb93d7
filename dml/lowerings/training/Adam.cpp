//===- Adam.cpp - Lowering of onnx.training.Adam -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Averages of gradients and of their squares, whose bias at the start is corrected
// by the number of the step.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Optimizer.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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

namespace onnxfold::dml {
void registerAdamLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.preview.training.Adam", {1}, lowerAdam);
}
} // namespace onnxfold::dml
