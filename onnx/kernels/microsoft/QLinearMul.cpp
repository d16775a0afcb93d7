//===- QLinearMul.cpp - Kernel of com.microsoft.QLinearMul ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A * B of quantised tensors (support/QLinear.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearMul(FoldContext &cx) {
  return foldQLinearBinary(cx, [](double a, double b) { return a * b; });
}

namespace onnxfold {
void registerMicrosoftQLinearMul(KernelRegistry &registry) {
  registry.add("microsoft.QLinearMul", {1}, foldMicrosoftQLinearMul)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
