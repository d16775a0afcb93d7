//===- QLinearWhere.cpp - Kernel of com.microsoft.QLinearWhere ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Where of quantised tensors (support/QLinear.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;

static constexpr TypeSet conditions = {DataType::Bool};

static FoldResult foldMicrosoftQLinearWhere(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{conditions},
                                      {bytes},
                                      {float32},
                                      {bytes, 1},
                                      {bytes, 1},
                                      {float32},
                                      {bytes, 1},
                                      {float32},
                                      {bytes, 1}}))
    return wrong;
  ReasonOr<Elements> x = dequantizedInput(cx, 1), y = dequantizedInput(cx, 4);
  for (const Reason &wrong : {x.reason(), y.reason()})
    if (wrong)
      return wrong;
  FoldResult z = runStandard(cx, "Where", 16, {cx.input(0), *x, *y});
  return z ? quantizedResult(cx, z.values()[0].tensor, 7, cx.input(1).type())
           : z;
}

namespace onnxfold {
void registerMicrosoftQLinearWhere(KernelRegistry &registry) {
  registry.add("microsoft.QLinearWhere", {1}, foldMicrosoftQLinearWhere)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
