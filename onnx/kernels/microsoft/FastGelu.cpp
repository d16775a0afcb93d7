//===- FastGelu.cpp - Kernel of com.microsoft.FastGelu --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Gelu by tanh of X + bias (a vector along the last dimension, may be left
// out). In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/GeluFunctions.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMicrosoftFastGelu(FoldContext &cx) {
  if (Reason wrong =
          checkInputs(cx, {{floats}, {floats, 0, InputRule::Optional}}))
    return wrong;
  if (Reason wrong = checkBroadcastsToFirst(cx, 1))
    return wrong;
  Elements sum = shiftedBy(unroundedInput(cx, 0), unroundedInput(cx, 1));
  return roundedResult(cx, mapWide(sum, geluByTanh));
}

namespace onnxfold {
void registerMicrosoftFastGelu(KernelRegistry &registry) {
  registry.add("microsoft.FastGelu", {1}, foldMicrosoftFastGelu)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
