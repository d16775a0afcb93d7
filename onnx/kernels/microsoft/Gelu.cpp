//===- Gelu.cpp - Kernel of com.microsoft.Gelu ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * P(X <= x) for a normally distributed X: the standard's Gelu without its
// attribute.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftGelu(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{floats}}))
    return wrong;
  return runStandard(cx, "Gelu", 20, {cx.input(0)});
}

namespace onnxfold {
void registerMicrosoftGelu(KernelRegistry &registry) {
  registry.add("microsoft.Gelu", {1}, foldMicrosoftGelu).costs(unitsOfFunction);
}
} // namespace onnxfold
