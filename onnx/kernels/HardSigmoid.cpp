//===- HardSigmoid.cpp - Constant kernel of onnx.HardSigmoid --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// max(0, min(1, alpha * x + beta)). Spec: onnx HardSigmoid, versions 1, 6, 22
// (bfloat16). In double, rounded once; NaN gives NaN.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldHardSigmoid(FoldContext &cx) {
  double alpha = cx.real("alpha").value_or(0.2f);
  double beta = cx.real("beta").value_or(0.5f);
  return inDouble(cx.input(0), [=](double v) {
    return maximum(minimum(alpha * v + beta, 1.0), 0.0);
  });
}

namespace onnxfold {
void registerHardSigmoid(KernelRegistry &registry) {
  registry.add("HardSigmoid", {1, 6, 22}, foldHardSigmoid);
}
} // namespace onnxfold
