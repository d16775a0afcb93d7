//===- GlobalAveragePool.cpp - Constant kernel of onnx.GlobalAveragePool --===//
// SPDX-License-Identifier: Apache-2.0
//
// The mean of each channel. Spec: onnx GlobalAveragePool, versions 1, 22.
// In double, rounded once. Of no elements there is none: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGlobalAveragePool(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (auto wrong = checkSpatial(x))
    return wrong;
  return reduce(x, spatialAxes(x), /*keepDims=*/true, Reduction::Mean);
}

namespace onnxfold {
void registerGlobalAveragePool(KernelRegistry &registry) {
  registry.add("GlobalAveragePool", {1, 22}, foldGlobalAveragePool)
      .costs(unitsOfReading);
}
} // namespace onnxfold
