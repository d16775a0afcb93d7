//===- BiasGelu.cpp - Kernel of com.microsoft.BiasGelu --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Gelu(A + B), B a vector along the last dimension. In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/GeluFunctions.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMicrosoftBiasGelu(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{floats}, {floats, 0}}))
    return wrong;
  if (Reason wrong = checkBroadcastsToFirst(cx, 1))
    return wrong;
  Elements sum = shiftedBy(unroundedInput(cx, 0), unroundedInput(cx, 1));
  return roundedResult(cx, mapWide(sum, gelu));
}

namespace onnxfold {
void registerMicrosoftBiasGelu(KernelRegistry &registry) {
  registry.add("microsoft.BiasGelu", {1}, foldMicrosoftBiasGelu)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
