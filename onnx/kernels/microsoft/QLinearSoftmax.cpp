//===- QLinearSoftmax.cpp - Kernel of com.microsoft.QLinearSoftmax --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Softmax of a quantised tensor (support/QLinear.h); attribute `opset` says
// whether the sum runs over one axis (from 13 on) or over all from there on.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearSoftmax(FoldContext &cx) {
  int64_t opset = cx.integer("opset").value_or(0);
  if (opset < 1 || (opset < 13 && !cx.hasAttribute("axis")))
    return undefined("attributes 'opset' and 'axis' do not say where to sum");
  return foldQLinear(cx, [&](const Elements &x) {
    return runStandard(cx, "Softmax", opset < 13 ? 11 : 13, {x});
  });
}

namespace onnxfold {
void registerMicrosoftQLinearSoftmax(KernelRegistry &registry) {
  registry.add("microsoft.QLinearSoftmax", {1}, foldMicrosoftQLinearSoftmax)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
