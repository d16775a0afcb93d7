//===- Softplus.cpp - Constant kernel of onnx.Softplus --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// log(1 + exp(x)). Spec: onnx Softplus, versions 1, 22 (bfloat16).
// In double, rounded once; f64 as wide::softplus says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSoftplus(FoldContext &cx) {
  return mapWide(cx.input(0), wide::softplus);
}

namespace onnxfold {
void registerSoftplus(KernelRegistry &registry) {
  registry.add("Softplus", {1, 22}, foldSoftplus).costs(unitsOfComposite);
}
} // namespace onnxfold
