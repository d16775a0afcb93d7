//===- Optimizer.h - What the training operators share ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The operators of ai.onnx.preview.training update tensors by their gradients.
// Their inputs are a learning rate R, an update count T, and for each optimized
// tensor X its gradient G and its states (accumulated gradients): first all X,
// then all G, and so on. The results are all new X, then all new states.
//
//   return foldOptimizer(cx, /*states=*/1, [&](OptimizedTensor &t) {
//     t.states[0] = combine(t.states[0], t.g, ...);
//     t.x = combine(t.x, t.states[0], ...);
//   });
//
// Everything is computed in double, and each result is rounded once. Gradients
// broadcast to the tensor, as the specification says; states have its shape, as
// in ONNX's shape inference.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_OPTIMIZER_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_OPTIMIZER_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold {

/// The f64 tensors that an update reads; it replaces x and the states.
struct OptimizedTensor {
  Elements x, g;
  llvm::SmallVector<Elements, 2> states;
};

/// Inputs R and T.
struct UpdateCount {
  double rate = 0;
  int64_t count = 0;
};
ReasonOr<UpdateCount> readUpdateCount(FoldContext &cx);

FoldResult foldOptimizer(FoldContext &cx, unsigned states,
                         llvm::function_ref<void(OptimizedTensor &)> update);

/// f(a[i], b[i]) of doubles.
template <class F> Elements combine(const Elements &a, const Elements &b, F f) {
  return ops::zipAs<double, double, double>(a, b, f);
}

/// G_regularized = norm_coefficient * X + G.
Elements regularized(FoldContext &cx, const OptimizedTensor &tensor);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_OPTIMIZER_H
