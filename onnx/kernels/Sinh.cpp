//===- Sinh.cpp - Constant kernel of onnx.Sinh ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The hyperbolic sine. Spec: onnx Sinh, versions 9, 22 (bfloat16).
// In double, rounded once; f64 as wide::sinh says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSinh(FoldContext &cx) {
  return mapWide(cx.input(0), wide::sinh);
}

namespace onnxfold {
void registerSinh(KernelRegistry &registry) {
  registry.add("Sinh", {9, 22}, foldSinh).costs(unitsOfFunction);
}
} // namespace onnxfold
