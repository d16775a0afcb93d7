//===- Cosh.cpp - Constant kernel of onnx.Cosh ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The hyperbolic cosine. Spec: onnx Cosh, versions 9, 22 (bfloat16).
// In double, rounded once; f64 as wide::cosh says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldCosh(FoldContext &cx) {
  return mapWide(cx.input(0), wide::cosh);
}

namespace onnxfold {
void registerCosh(KernelRegistry &registry) {
  registry.add("Cosh", {9, 22}, foldCosh).costs(unitsOfFunction);
}
} // namespace onnxfold
