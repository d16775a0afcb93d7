//===- DequantizeLinear.cpp - Kernel of com.microsoft.DequantizeLinear ----===//
// SPDX-License-Identifier: Apache-2.0
//
// The standard's. Only with --fold-quantization.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static constexpr TypeSet quantizedIntegers = {
    DataType::Int4,  DataType::UInt4,  DataType::Int8, DataType::UInt8,
    DataType::Int16, DataType::UInt16, DataType::Int32};
static constexpr TypeSet scaleTypes = {DataType::Float32, DataType::Float16};

static FoldResult foldMicrosoftDequantizeLinear(FoldContext &cx) {
  if (Reason wrong =
          checkInputs(cx, {{quantizedIntegers},
                           {scaleTypes},
                           {quantizedIntegers, 0, InputRule::Optional}}))
    return wrong;
  return runStandard(
      cx, "DequantizeLinear", 21,
      {cx.input(0), cx.input(1), cx.hasInput(2) ? cx.input(2) : Elements()});
}

namespace onnxfold {
void registerMicrosoftDequantizeLinear(KernelRegistry &registry) {
  registry.add("microsoft.DequantizeLinear", {1},
               foldMicrosoftDequantizeLinear);
}
} // namespace onnxfold
