//===- HardSwish.cpp - Constant kernel of onnx.HardSwish ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * max(0, min(1, x / 6 + 0.5)). Spec: onnx HardSwish, versions 14, 22
// (bfloat16). In double, rounded once; of -inf NaN, as the formula has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldHardSwish(FoldContext &cx) {
  return inDouble(cx.input(0), [](double v) {
    return v * maximum(minimum(v / 6 + 0.5, 1.0), 0.0);
  });
}

namespace onnxfold {
void registerHardSwish(KernelRegistry &registry) {
  registry.add("HardSwish", {14, 22}, foldHardSwish);
}
} // namespace onnxfold
