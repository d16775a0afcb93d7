//===- Cos.cpp - Constant kernel of onnx.Cos ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The cosine; NaN of infinities. Spec: onnx Cos, versions 7, 22.
// In double, rounded once; f64 as wide::cos says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldCos(FoldContext &cx) {
  return mapWide(cx.input(0), wide::cos);
}

namespace onnxfold {
void registerCos(KernelRegistry &registry) {
  registry.add("Cos", {7, 22}, foldCos).costs(unitsOfFunction);
}
} // namespace onnxfold
