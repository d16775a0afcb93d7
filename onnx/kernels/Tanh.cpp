//===- Tanh.cpp - Constant kernel of onnx.Tanh ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The hyperbolic tangent. Spec: onnx Tanh, versions 1, 6, 13.
// In double, rounded once; f64 as wide::tanh says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldTanh(FoldContext &cx) {
  return mapWide(cx.input(0), wide::tanh);
}

namespace onnxfold {
void registerTanh(KernelRegistry &registry) {
  registry.add("Tanh", {1, 6, 13}, foldTanh).costs(unitsOfFunction);
}
} // namespace onnxfold
