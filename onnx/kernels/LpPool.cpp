//===- LpPool.cpp - Constant kernel of onnx.LpPool ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// (sum |x|^p)^(1/p) of the elements that each window meets; padding is 0. Spec:
// onnx LpPool, versions 1 (p: a float), 2, 11, 18 (ceil_mode, dilations), 22.
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Pooling.h"
#include "onnxfold/onnx/kernels/support/LpNorm.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldLpPool(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<SlidingWindows> windows = readWindows(cx, x);
  if (!windows)
    return windows.reason();
  const SlidingWindows &w = *windows;
  ReasonOr<LpNorm> norm = readLpNorm(cx);
  if (!norm)
    return norm.reason();
  Shape shape = imageShape(x.dim(0), x.dim(1), w.positions);
  if (auto limit = checkWindows(cx, x.type(), shape, w, 1))
    return limit;
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  return roundedOnce(
      x, [&](auto e) { return norm->root(windowSums(norm->power(e[0]), w)); });
}

namespace onnxfold {
void registerLpPool(KernelRegistry &registry) {
  registry.add("LpPool", {1, 2, 11, 18, 22}, foldLpPool);
}
} // namespace onnxfold
