//===- Gelu.cpp - Constant kernel of onnx.Gelu ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 0.5 * x * (1 + erf(x / sqrt(2))), or with attribute `approximate` = "tanh"
// 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))). Spec: onnx Gelu,
// version 20. In double, rounded once (support/GeluFunctions.h). Of -inf NaN, as
// the text's formula has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/GeluFunctions.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGelu(FoldContext &cx) {
  std::string approximate = cx.string("approximate").value_or("none");
  if (approximate != "none" && approximate != "tanh")
    return invalid("attribute 'approximate' is '" + approximate +
                   "', expected 'none' or 'tanh'");
  return mapWide(cx.input(0), approximate == "none" ? gelu : geluByTanh);
}

namespace onnxfold {
void registerGelu(KernelRegistry &registry) {
  registry.add("Gelu", {20}, foldGelu).costs(unitsOfComposite);
}
} // namespace onnxfold
