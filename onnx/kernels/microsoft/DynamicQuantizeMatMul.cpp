//===- DynamicQuantizeMatMul.cpp - Kernel of com.microsoft.DynamicQuantizeMatMul ===//
// SPDX-License-Identifier: Apache-2.0
//
// A, quantised to u8 as by DynamicQuantizeLinear, times (B - b_zero) * b_scale,
// plus bias. The products in i32, the rest in double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/IntegerProducts.h"

using namespace onnxfold;

static FoldResult foldMicrosoftDynamicQuantizeMatMul(FoldContext &cx) {
  constexpr auto optional = InputRule::Optional;
  if (Reason wrong = checkInputs(cx, {{float32},
                                      {bytes},
                                      {float32},
                                      {bytes, 1, optional},
                                      {float32, InputRule::any, optional}}))
    return wrong;
  FoldResult a = runStandard(cx, "DynamicQuantizeLinear", 11, {cx.input(0)});
  if (!a)
    return a;
  return scaledIntegerProduct(cx, a.values()[0].tensor, a.values()[1].tensor,
                              {.b = 1,
                               .scaleB = 2,
                               .zeroB = 3,
                               .bias = 4,
                               .knownZeroA = a.values()[2].tensor},
                              DataType::Float32);
}

namespace onnxfold {
void registerMicrosoftDynamicQuantizeMatMul(KernelRegistry &registry) {
  registry.add("microsoft.DynamicQuantizeMatMul", {1},
               foldMicrosoftDynamicQuantizeMatMul);
}
} // namespace onnxfold
