//===- Sin.cpp - Constant kernel of onnx.Sin ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sine; NaN of infinities. Spec: onnx Sin, versions 7, 22.
// In double, rounded once; f64 as wide::sin says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSin(FoldContext &cx) {
  return mapWide(cx.input(0), wide::sin);
}

namespace onnxfold {
void registerSin(KernelRegistry &registry) {
  registry.add("Sin", {7, 22}, foldSin).costs(unitsOfFunction);
}
} // namespace onnxfold
