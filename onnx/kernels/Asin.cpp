//===- Asin.cpp - Constant kernel of onnx.Asin ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse sine. Spec: onnx Asin, versions 7, 22 (bfloat16).
// NaN outside [-1, 1].
// In double, rounded once; f64 as wide::asin says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldAsin(FoldContext &cx) {
  return mapWide(cx.input(0), wide::asin);
}

namespace onnxfold {
void registerAsin(KernelRegistry &registry) {
  registry.add("Asin", {7, 22}, foldAsin).costs(unitsOfFunction);
}
} // namespace onnxfold
