//===- Atanh.cpp - Constant kernel of onnx.Atanh --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse hyperbolic tangent. Spec: onnx Atanh, versions 9, 22 (bfloat16).
// NaN outside [-1, 1], infinite at its ends.
// In double, rounded once; f64 as wide::atanh says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldAtanh(FoldContext &cx) {
  return mapWide(cx.input(0), wide::atanh);
}

namespace onnxfold {
void registerAtanh(KernelRegistry &registry) {
  registry.add("Atanh", {9, 22}, foldAtanh).costs(unitsOfFunction);
}
} // namespace onnxfold
