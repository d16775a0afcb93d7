//===- MatMulInteger.cpp - Lowering of onnx.MatMulInteger ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The product of integers of 8 bits less their zero points: one, one for each
// row of A or column of B, or by broadcasting.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/MatrixProduct.h"
#include "onnxfold/dml/support/Quantization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMatMulInteger(LoweringContext &cx) {
  int64_t rank = cx.input(0).rank();
  View sums;
  Lowered made =
      matrixProduct(cx, centered(cx, 0, 2, std::max<int64_t>(rank - 2, 0)),
                    centered(cx, 1, 3, cx.input(1).rank() - 1), sums);
  if (!made.isDone())
    return made;
  cx.define(0, asInt32(cx, sums, cx.input(0).dims.back()));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerMatMulIntegerLowering(LoweringRegistry &registry) {
  registry.add("MatMulInteger", {10}, lowerMatMulInteger);
}
} // namespace onnxfold::dml
