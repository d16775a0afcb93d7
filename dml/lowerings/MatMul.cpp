//===- MatMul.cpp - Lowering of onnx.MatMul ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Matrices, or batches of them that broadcast, in a loop.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/MatrixProduct.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMatMul(LoweringContext &cx) {
  View product;
  Lowered made =
      matrixProduct(cx, {cx.natural(0), cx.input(0).dims, std::nullopt},
                    {cx.natural(1), cx.input(1).dims, std::nullopt}, product);
  if (!made.isDone())
    return made;
  cx.define(0, View{wrapped(cx, product.expr, cx.result().type), product.rows,
                    product.columns});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerMatMulLowering(LoweringRegistry &registry) {
  registry.add("MatMul", {1, 9, 13}, lowerMatMul);
}
} // namespace onnxfold::dml
