//===- QLinearSigmoid.cpp - Kernel of com.microsoft.QLinearSigmoid --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sigmoid of a quantised tensor (support/QLinear.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearSigmoid(FoldContext &cx) {
  return foldQLinear(cx, [&](const Elements &x) {
    return runStandard(cx, "Sigmoid", 13, {x});
  });
}

namespace onnxfold {
void registerMicrosoftQLinearSigmoid(KernelRegistry &registry) {
  registry.add("microsoft.QLinearSigmoid", {1}, foldMicrosoftQLinearSigmoid)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
