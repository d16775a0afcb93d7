//===- Sigmoid.cpp - Constant kernel of onnx.Sigmoid ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = 1 / (1 + exp(-x)), without overflow. Spec: onnx Sigmoid, versions 1, 6,
// 13.
// In double, rounded once; f64 as wide::sigmoid says (elements/ops/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSigmoid(FoldContext &cx) {
  return mapWide(cx.input(0), wide::sigmoid);
}

namespace onnxfold {
void registerSigmoid(KernelRegistry &registry) {
  registry.add("Sigmoid", {1, 6, 13}, foldSigmoid).costs(unitsOfFunction);
}
} // namespace onnxfold
