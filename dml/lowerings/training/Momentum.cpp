//===- Momentum.cpp - Lowering of onnx.training.Momentum -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Gradients are added to what is left of those before; nesterov looks one step
// ahead.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Optimizer.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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
void registerMomentumLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.preview.training.Momentum", {1}, lowerMomentum);
}
} // namespace onnxfold::dml
