//===- NhwcMaxPool.cpp - Kernel of com.microsoft.NhwcMaxPool --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// MaxPool of an 8-bit image whose channels are the last dimension.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftNhwcMaxPool(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{bytes}}))
    return wrong;
  FoldResult y = runStandard(cx, "MaxPool", 12, {channelsSecond(cx.input(0))});
  return y ? channelsLast(y.values()[0].tensor) : y;
}

namespace onnxfold {
void registerMicrosoftNhwcMaxPool(KernelRegistry &registry) {
  registry.add("microsoft.NhwcMaxPool", {1}, foldMicrosoftNhwcMaxPool);
}
} // namespace onnxfold
