//===- QLinearAdd.cpp - Kernel of com.microsoft.QLinearAdd ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A + B of quantised tensors (support/QLinear.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearAdd(FoldContext &cx) {
  return foldQLinearBinary(cx, [](double a, double b) { return a + b; });
}

namespace onnxfold {
void registerMicrosoftQLinearAdd(KernelRegistry &registry) {
  registry.add("microsoft.QLinearAdd", {1}, foldMicrosoftQLinearAdd)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
