//===- Reciprocal.cpp - Constant kernel of onnx.Reciprocal ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = 1 / x, correctly rounded; an infinity of 0. Spec: onnx Reciprocal,
// versions 1, 6, 13.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReciprocal(FoldContext &cx) {
  return mapFloat(cx.input(0), [](auto v) { return decltype(v)(1) / v; });
}

namespace onnxfold {
void registerReciprocal(KernelRegistry &registry) {
  registry.add("Reciprocal", {1, 6, 13}, foldReciprocal);
}
} // namespace onnxfold
