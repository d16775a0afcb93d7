//===- Optimizer.h - Steps of training in DML -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The inputs are the rate, the number of the step, all tensors, their
// gradients, and their states, one kind after the other. The outputs are the
// new tensors and states.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_OPTIMIZER_H
#define ONNXFOLD_DML_SUPPORT_OPTIMIZER_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

/// The step of one tensor, which replaces x and the states by new ones. The
/// gradient includes norm_coefficient * x.
struct OptimizerStep {
  Expr x, gradient;
  std::vector<Expr> states;
};

Lowered lowerOptimizer(LoweringContext &cx, unsigned states,
                       llvm::function_ref<void(OptimizerStep &)> step);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_OPTIMIZER_H
