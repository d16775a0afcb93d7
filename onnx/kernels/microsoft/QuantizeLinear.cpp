//===- QuantizeLinear.cpp - Kernel of com.microsoft.QuantizeLinear --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The standard's; without a zero point the result is u8. Only with --fold-
// quantization.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static constexpr TypeSet narrowIntegers = {DataType::Int4,  DataType::UInt4,
                                           DataType::Int8,  DataType::UInt8,
                                           DataType::Int16, DataType::UInt16};
static constexpr TypeSet quantizable = {DataType::Float32, DataType::Float16};

static FoldResult foldMicrosoftQuantizeLinear(FoldContext &cx) {
  if (Reason wrong = checkInputs(
          cx, {{quantizable},
               {quantizable, 0},
               {narrowIntegers, InputRule::any, InputRule::Optional}}))
    return wrong;
  return runStandard(
      cx, "QuantizeLinear", 21,
      {cx.input(0), cx.input(1), cx.hasInput(2) ? cx.input(2) : Elements()});
}

namespace onnxfold {
void registerMicrosoftQuantizeLinear(KernelRegistry &registry) {
  registry.add("microsoft.QuantizeLinear", {1}, foldMicrosoftQuantizeLinear);
}
} // namespace onnxfold
