//===- LayerNormalization.cpp - Kernel of com.microsoft.LayerNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime's, in the domain of the standard, before opset 17 has an
// operator of that name: the same one. Two element types are kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftLayerNormalization(FoldContext &cx) {
  if (Reason wrong = checkInputs(
          cx, {{floats}, {floats, 0}, {floats, 0, InputRule::Optional}}))
    return wrong;
  return runStandard(
      cx, "LayerNormalization", 17,
      {cx.input(0), cx.input(1), cx.hasInput(2) ? cx.input(2) : Elements()});
}

namespace onnxfold {
void registerMicrosoftLayerNormalization(KernelRegistry &registry) {
  registry
      .add("microsoft.LayerNormalization", {1}, foldMicrosoftLayerNormalization)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
