//===- Atan.cpp - Constant kernel of onnx.Atan ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse tangent. Spec: onnx Atan, versions 7, 22 (bfloat16).
// In double, rounded once; f64 as wide::atan says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldAtan(FoldContext &cx) {
  return mapWide(cx.input(0), wide::atan);
}

namespace onnxfold {
void registerAtan(KernelRegistry &registry) {
  registry.add("Atan", {7, 22}, foldAtan).costs(unitsOfFunction);
}
} // namespace onnxfold
