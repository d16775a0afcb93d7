//===- MatMulIntegerToFloat.cpp - Kernel of com.microsoft.MatMulIntegerToFloat ===//
// SPDX-License-Identifier: Apache-2.0
//
// (A - a_zero) * (B - b_zero), of integers in i32, times a_scale * b_scale,
// plus bias. What belongs to B may be a vector of its columns. The products in
// i32, the rest in double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/IntegerProducts.h"

using namespace onnxfold;

static FoldResult foldMicrosoftMatMulIntegerToFloat(FoldContext &cx) {
  constexpr auto optional = InputRule::Optional;
  if (Reason wrong = checkInputs(cx, {{bytes},
                                      {bytes},
                                      {floats},
                                      {floats, 2},
                                      {bytes, 0, optional},
                                      {bytes, 1, optional},
                                      {floats, 2, optional}}))
    return wrong;
  return scaledIntegerProduct(
      cx, cx.input(0), cx.input(2),
      {.b = 1, .scaleB = 3, .zeroA = 4, .zeroB = 5, .bias = 6},
      cx.input(2).type());
}

namespace onnxfold {
void registerMicrosoftMatMulIntegerToFloat(KernelRegistry &registry) {
  registry.add("microsoft.MatMulIntegerToFloat", {1},
               foldMicrosoftMatMulIntegerToFloat);
}
} // namespace onnxfold
