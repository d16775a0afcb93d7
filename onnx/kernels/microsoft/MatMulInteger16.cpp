//===- MatMulInteger16.cpp - Kernel of com.microsoft.MatMulInteger16 ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The product of matrices of 16-bit integers; sums wrap in i32.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static constexpr TypeSet integers16 = {DataType::Int16, DataType::UInt16};

static FoldResult foldMicrosoftMatMulInteger16(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{integers16}, {integers16}}))
    return wrong;
  const Elements &a = cx.input(0), &b = cx.input(1);
  ReasonOr<MatrixProduct> product = planProduct(cx, a, b, DataType::Int32);
  if (!product)
    return product.reason();
  return matmul(cast(a, DataType::Int32), cast(b, DataType::Int32));
}

namespace onnxfold {
void registerMicrosoftMatMulInteger16(KernelRegistry &registry) {
  registry.add("microsoft.MatMulInteger16", {1}, foldMicrosoftMatMulInteger16);
}
} // namespace onnxfold
