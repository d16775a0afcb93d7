//===- Trilu.cpp - Kernel of com.microsoft.Trilu --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The upper or lower triangle of matrices: the standard's.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftTrilu(FoldContext &cx) {
  if (Reason wrong = checkInputs(
          cx, {{anyType}, {int64, InputRule::any, InputRule::Optional}}))
    return wrong;
  return runStandard(cx, "Trilu", 14,
                     {cx.input(0), cx.hasInput(1) ? cx.input(1) : Elements()});
}

namespace onnxfold {
void registerMicrosoftTrilu(KernelRegistry &registry) {
  registry.add("microsoft.Trilu", {1}, foldMicrosoftTrilu);
}
} // namespace onnxfold
