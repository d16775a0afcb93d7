//===- GridSample.cpp - Kernel of com.microsoft.GridSample ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An image read at the points of a grid: the standard's of version 16.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftGridSample(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{float32}, {float32}}))
    return wrong;
  return runStandard(cx, "GridSample", 16, {cx.input(0), cx.input(1)});
}

namespace onnxfold {
void registerMicrosoftGridSample(KernelRegistry &registry) {
  registry.add("microsoft.GridSample", {1}, foldMicrosoftGridSample);
}
} // namespace onnxfold
