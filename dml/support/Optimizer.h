//===- Optimizer.h - Steps of training in DML -------------------*- C++ -*-===//
//
// Inputs: the rate, the number of the step, then tensors, their gradients, and
// their states of one kind after the other; outputs are tensors and states.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_OPTIMIZER_H
#define ONNXFOLD_DML_SUPPORT_OPTIMIZER_H

#include "onnxfold/dml/Lowering.h"

namespace onnxfold::dml {

/// One tensor: x and states are replaced by new ones. The gradient has the
/// multiple norm_coefficient of x added.
struct OptimizerStep {
  Expr x, gradient;
  std::vector<Expr> states;
};

Lowered lowerOptimizer(LoweringContext &cx, unsigned states,
                       llvm::function_ref<void(OptimizerStep &)> step);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_OPTIMIZER_H
