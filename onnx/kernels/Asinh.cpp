//===- Asinh.cpp - Constant kernel of onnx.Asinh --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse hyperbolic sine. Spec: onnx Asinh, versions 9, 22 (bfloat16).
// In double, rounded once; f64 as wide::asinh says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldAsinh(FoldContext &cx) {
  return mapWide(cx.input(0), wide::asinh);
}

namespace onnxfold {
void registerAsinh(KernelRegistry &registry) {
  registry.add("Asinh", {9, 22}, foldAsinh).costs(unitsOfComposite);
}
} // namespace onnxfold
