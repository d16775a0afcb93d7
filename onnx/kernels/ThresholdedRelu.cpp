//===- ThresholdedRelu.cpp - Constant kernel of onnx.ThresholdedRelu ------===//
// SPDX-License-Identifier: Apache-2.0
//
// x where it is greater than alpha, else 0 (also of NaN). Spec: onnx
// ThresholdedRelu, versions 10, 22 (bfloat16).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;

static FoldResult foldThresholdedRelu(FoldContext &cx) {
  double alpha = cx.real("alpha").value_or(1);
  return inDouble(cx.input(0),
                  [alpha](double v) { return v > alpha ? v : 0.0; });
}

namespace onnxfold {
void registerThresholdedRelu(KernelRegistry &registry) {
  registry.add("ThresholdedRelu", {10, 22}, foldThresholdedRelu);
}
} // namespace onnxfold
