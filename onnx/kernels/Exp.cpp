//===- Exp.cpp - Constant kernel of onnx.Exp ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The exponential. Spec: onnx Exp, versions 1, 6, 13.
// In double, rounded once; f64 as wide::exp says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldExp(FoldContext &cx) {
  return mapWide(cx.input(0), wide::exp);
}

namespace onnxfold {
void registerExp(KernelRegistry &registry) {
  registry.add("Exp", {1, 6, 13}, foldExp).costs(unitsOfFunction);
}
} // namespace onnxfold
