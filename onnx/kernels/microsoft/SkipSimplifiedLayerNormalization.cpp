//===- SkipSimplifiedLayerNormalization.cpp - Kernel of com.microsoft.SkipSimplifiedLayerNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// RMSNormalization along the last dimension of input + skip + bias; on request
// also that sum. In double, rounded once. Mean and deviation, which runtimes
// leave empty in inference, are kept if somebody reads them.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/SkipNormalization.h"

using namespace onnxfold;

static FoldResult
foldMicrosoftSkipSimplifiedLayerNormalization(FoldContext &cx) {
  constexpr auto optional = InputRule::Optional;
  if (Reason wrong = checkInputs(
          cx, {{floats}, {floats, 0}, {floats, 0}, {floats, 0, optional}}))
    return wrong;
  return skipNormalization(cx, /*isCentred=*/false);
}

namespace onnxfold {
void registerMicrosoftSkipSimplifiedLayerNormalization(
    KernelRegistry &registry) {
  registry
      .add("microsoft.SkipSimplifiedLayerNormalization", {1},
           foldMicrosoftSkipSimplifiedLayerNormalization)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
