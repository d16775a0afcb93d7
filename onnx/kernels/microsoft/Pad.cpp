//===- Pad.cpp - Kernel of com.microsoft.Pad ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The standard's, pads as a vector or as one row.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftPad(FoldContext &cx) {
  if (Reason wrong = checkInputs(
          cx, {{floats}, {int64}, {floats, 0, InputRule::Optional}}))
    return wrong;
  Elements pads = cx.input(1);
  if (pads.rank() == 2 && pads.dim(0) == 1)
    pads = pads.reshape({pads.dim(1)});
  if (pads.rank() != 1)
    return invalid("the pads have shape " + toString(pads.shape()) +
                   ", expected a vector");
  return runStandard(
      cx, "Pad", 13,
      {cx.input(0), pads, cx.hasInput(2) ? cx.input(2) : Elements()});
}

namespace onnxfold {
void registerMicrosoftPad(KernelRegistry &registry) {
  registry.add("microsoft.Pad", {1}, foldMicrosoftPad);
}
} // namespace onnxfold
