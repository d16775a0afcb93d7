//===- QLinearAveragePool.cpp - Kernel of com.microsoft.QLinearAveragePool ===//
// SPDX-License-Identifier: Apache-2.0
//
// AveragePool of a quantised tensor (support/QLinear.h), also with channels
// last.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearAveragePool(FoldContext &cx) {
  return foldQLinearPool(cx, "AveragePool", 11);
}

namespace onnxfold {
void registerMicrosoftQLinearAveragePool(KernelRegistry &registry) {
  registry.add("microsoft.QLinearAveragePool", {1},
               foldMicrosoftQLinearAveragePool);
}
} // namespace onnxfold
