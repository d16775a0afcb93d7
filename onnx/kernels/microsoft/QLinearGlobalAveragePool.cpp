//===- QLinearGlobalAveragePool.cpp - Kernel of com.microsoft.QLinearGlobalAveragePool ===//
// SPDX-License-Identifier: Apache-2.0
//
// GlobalAveragePool of a quantised tensor (support/QLinear.h), also with
// channels last.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearGlobalAveragePool(FoldContext &cx) {
  return foldQLinearPool(cx, "GlobalAveragePool", 1);
}

namespace onnxfold {
void registerMicrosoftQLinearGlobalAveragePool(KernelRegistry &registry) {
  registry
      .add("microsoft.QLinearGlobalAveragePool", {1},
           foldMicrosoftQLinearGlobalAveragePool)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
