//===- GlobalLpPool.cpp - Constant kernel of onnx.GlobalLpPool ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// (sum |x|^p)^(1/p) of each channel. Spec: onnx GlobalLpPool, versions 1 (p: a
// float), 2, 22. In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/LpNorm.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGlobalLpPool(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (auto wrong = checkSpatial(x))
    return wrong;
  ReasonOr<LpNorm> norm = readLpNorm(cx);
  if (!norm)
    return norm.reason();
  return roundedOnce(x, [&](auto e) {
    Elements powers = norm->power(e[0]);
    return norm->root(
        reduce(powers, spatialAxes(x), /*keepDims=*/true, Reduction::Sum));
  });
}

namespace onnxfold {
void registerGlobalLpPool(KernelRegistry &registry) {
  registry.add("GlobalLpPool", {1, 2, 22}, foldGlobalLpPool)
      .costs(unitsOfComposite);
}
} // namespace onnxfold
