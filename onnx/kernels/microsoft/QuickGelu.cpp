//===- QuickGelu.cpp - Kernel of com.microsoft.QuickGelu ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * sigmoid(alpha * x), alpha 1.702 if it is left out. In double, rounded
// once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "onnxfold/onnx/kernels/support/Swish.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQuickGelu(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{floats}}))
    return wrong;
  double alpha = cx.real("alpha").value_or(1.702f);
  return roundedResult(cx, swish(unroundedInput(cx, 0), alpha));
}

namespace onnxfold {
void registerMicrosoftQuickGelu(KernelRegistry &registry) {
  registry.add("microsoft.QuickGelu", {1}, foldMicrosoftQuickGelu)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
