//===- Log.cpp - Constant kernel of onnx.Log ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The natural logarithm: -infinity of 0, NaN of negative numbers. Spec: onnx
// Log, versions 1, 6, 13.
// In double, rounded once; f64 as wide::log says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldLog(FoldContext &cx) {
  return mapWide(cx.input(0), wide::log);
}

namespace onnxfold {
void registerLog(KernelRegistry &registry) {
  registry.add("Log", {1, 6, 13}, foldLog).costs(unitsOfFunction);
}
} // namespace onnxfold
