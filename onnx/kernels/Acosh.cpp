//===- Acosh.cpp - Constant kernel of onnx.Acosh --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse hyperbolic cosine. Spec: onnx Acosh, versions 9, 22 (bfloat16).
// NaN below 1.
// In double, rounded once; f64 as wide::acosh says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldAcosh(FoldContext &cx) {
  return mapWide(cx.input(0), wide::acosh);
}

namespace onnxfold {
void registerAcosh(KernelRegistry &registry) {
  registry.add("Acosh", {9, 22}, foldAcosh).costs(unitsOfComposite);
}
} // namespace onnxfold
