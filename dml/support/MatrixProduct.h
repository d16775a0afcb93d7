//===- MatrixProduct.h - The product of MatMul ------------------*- C++ -*-===//
#ifndef ONNXFOLD_DML_SUPPORT_MATRIXPRODUCT_H
#define ONNXFOLD_DML_SUPPORT_MATRIXPRODUCT_H

#include "onnxfold/dml/support/Broadcasting.h"

namespace onnxfold::dml {

/// a times b as MatMul has it: matrices, vectors, or batches of matrices that
/// broadcast, in a loop. Both have views. Refused along the free batch size.
Lowered matrixProduct(LoweringContext &cx, Operand a, Operand b, View &product);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_MATRIXPRODUCT_H
