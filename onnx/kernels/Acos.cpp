//===- Acos.cpp - Constant kernel of onnx.Acos ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse cosine. Spec: onnx Acos, versions 7, 22 (bfloat16).
// NaN outside [-1, 1].
// In double, rounded once; f64 as wide::acos says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldAcos(FoldContext &cx) {
  return mapWide(cx.input(0), wide::acos);
}

namespace onnxfold {
void registerAcos(KernelRegistry &registry) {
  registry.add("Acos", {7, 22}, foldAcos).costs(unitsOfFunction);
}
} // namespace onnxfold
