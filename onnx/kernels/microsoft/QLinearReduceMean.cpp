//===- QLinearReduceMean.cpp - Kernel of com.microsoft.QLinearReduceMean --===//
// SPDX-License-Identifier: Apache-2.0
//
// ReduceMean of a quantised tensor (support/QLinear.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearReduceMean(FoldContext &cx) {
  return foldQLinear(cx, [&](const Elements &x) {
    return runStandard(cx, "ReduceMean", 13, {x});
  });
}

namespace onnxfold {
void registerMicrosoftQLinearReduceMean(KernelRegistry &registry) {
  registry
      .add("microsoft.QLinearReduceMean", {1}, foldMicrosoftQLinearReduceMean)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
