//===- Optimizer.cpp - Steps of training in DML ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Optimizer.h"

using namespace onnxfold;
using namespace onnxfold::dml;

Lowered dml::lowerOptimizer(LoweringContext &cx, unsigned states,
                            llvm::function_ref<void(OptimizerStep &)> step) {
  unsigned count = (cx.numInputs() - 2) / (2 + states);
  double norm = cx.op().getFloat("norm_coefficient", 0);
  for (unsigned i = 0; i < count; ++i) {
    OptimizerStep s{cx.matrix(2 + i), cx.matrix(2 + count + i), {}};
    if (norm != 0)
      s.gradient = cx.local("gradient", s.gradient + s.x * norm);
    for (unsigned k = 0; k < states; ++k)
      s.states.push_back(cx.matrix(2 + (2 + k) * count + i));
    step(s);
    cx.define(i, s.x);
    for (unsigned k = 0; k < states; ++k)
      if (cx.isUsed((1 + k) * count + i))
        cx.define((1 + k) * count + i, s.states[k]);
  }
  return Lowered::done();
}
