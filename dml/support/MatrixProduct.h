//===- MatrixProduct.h - The product of MatMul ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_DML_SUPPORT_MATRIXPRODUCT_H
#define ONNXFOLD_DML_SUPPORT_MATRIXPRODUCT_H

#include "onnxfold/dml/support/Broadcasting.h"

namespace onnxfold::dml {

/// Computes a times b as MatMul does: matrices, vectors, or, in a loop, batches
/// of matrices that broadcast. Refuses a product along the free batch size.
/// REQUIRES: both operands have views.
Lowered matrixProduct(LoweringContext &cx, Operand a, Operand b, View &product);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_MATRIXPRODUCT_H
