//===- Sqrt.cpp - Constant kernel of onnx.Sqrt ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The square root, NaN of negative numbers. Spec: onnx Sqrt, versions 1, 6,
// 13.
// Correctly rounded in every type: in float for narrower types (see
// ComputeType).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSqrt(FoldContext &cx) {
  return mapFloat(cx.input(0), [](auto v) { return std::sqrt(v); });
}

namespace onnxfold {
void registerSqrt(KernelRegistry &registry) {
  registry.add("Sqrt", {1, 6, 13}, foldSqrt);
}
} // namespace onnxfold
