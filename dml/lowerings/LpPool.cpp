//===- LpPool.cpp - Lowering of onnx.LpPool ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// (sum |x|^p)^(1/p) of windows.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/PoolingLowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLpPool(LoweringContext &cx) {
  Windows windows;
  if (Lowered checked = poolingOf(cx, windows); !checked.isDone())
    return checked;
  Moved images = imagesOf(cx, 0);
  images.view.expr = cx.local("powers", powerOfNorm(cx, images.view.expr));
  View sums = reducedByAxis(cx, "sum_windows", images, windows, 0);
  sums.expr = rootOfNorm(cx, sums.expr);
  cx.define(0, sums);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerLpPoolLowering(LoweringRegistry &registry) {
  registry.add("LpPool", {1, 2, 11, 18, 22}, lowerLpPool);
}
} // namespace onnxfold::dml
