//===- Tan.cpp - Constant kernel of onnx.Tan ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The tangent. Spec: onnx Tan, versions 7, 22 (bfloat16).
// In double, rounded once; f64 as wide::tan says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldTan(FoldContext &cx) {
  return mapWide(cx.input(0), wide::tan);
}

namespace onnxfold {
void registerTan(KernelRegistry &registry) {
  registry.add("Tan", {7, 22}, foldTan).costs(unitsOfFunction);
}
} // namespace onnxfold
