//===- Mish.cpp - Constant kernel of onnx.Mish ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * tanh(softplus(x)). Spec: onnx Mish, versions 18, 22 (bfloat16).
// In double, rounded once; of -inf NaN, as the formula has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static void tanhOfSoftplus(double *values, size_t count) {
  wide::softplus(values, count);
  wide::tanh(values, count);
}

static FoldResult foldMish(FoldContext &cx) {
  return inDouble(cx.input(0), tanhOfSoftplus,
                  [](double v, double t) { return v * t; });
}

namespace onnxfold {
void registerMish(KernelRegistry &registry) {
  registry.add("Mish", {18, 22}, foldMish).costs(unitsOfComposite);
}
} // namespace onnxfold
