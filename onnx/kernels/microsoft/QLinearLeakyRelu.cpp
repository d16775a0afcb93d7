//===- QLinearLeakyRelu.cpp - Kernel of com.microsoft.QLinearLeakyRelu ----===//
// SPDX-License-Identifier: Apache-2.0
//
// LeakyRelu of a quantised tensor (support/QLinear.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearLeakyRelu(FoldContext &cx) {
  return foldQLinear(cx, [&](const Elements &x) {
    return runStandard(cx, "LeakyRelu", 16, {x});
  });
}

namespace onnxfold {
void registerMicrosoftQLinearLeakyRelu(KernelRegistry &registry) {
  registry.add("microsoft.QLinearLeakyRelu", {1}, foldMicrosoftQLinearLeakyRelu)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
