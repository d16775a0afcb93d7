//===- GlobalMaxPool.cpp - Constant kernel of onnx.GlobalMaxPool ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest element of each channel. Spec: onnx GlobalMaxPool, versions
// 1, 22. Of no elements there is none, and with a NaN runtimes differ: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGlobalMaxPool(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (auto wrong = checkSpatial(x))
    return wrong;
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  return reduce(x, spatialAxes(x), /*keepDims=*/true, Reduction::Max);
}

namespace onnxfold {
void registerGlobalMaxPool(KernelRegistry &registry) {
  registry.add("GlobalMaxPool", {1, 22}, foldGlobalMaxPool)
      .costs(unitsOfReading);
}
} // namespace onnxfold
