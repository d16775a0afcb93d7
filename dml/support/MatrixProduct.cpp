//===- MatrixProduct.cpp - The product of MatMul --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/MatrixProduct.h"
#include "onnxfold/dml/support/Products.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Both expanded to the batches of the result.
static View batched(LoweringContext &cx, const Operand &a, const Operand &b) {
  int64_t rows = a.dims[a.dims.size() - 2], inner = a.dims.back(),
          columns = b.dims.back();
  size_t rank = std::max(a.dims.size(), b.dims.size());
  Shape batch(rank - 2, 1);
  for (const Operand *one : {&a, &b})
    for (size_t i = 0; i + 2 < one->dims.size(); ++i)
      if (int64_t &d = batch[i + rank - one->dims.size()]; d <= 1)
        d = one->dims[i] == 1 ? d : one->dims[i];
  Shape left = batch, right = batch;
  left.append({rows, inner});
  right.append({inner, columns});
  View expandedA = expandTo(cx, a, left), expandedB = expandTo(cx, b, right);
  return batchedProduct(cx, expandedA, expandedB, sizeOf(batch), {rows}, inner,
                        columns);
}

Lowered dml::matrixProduct(LoweringContext &cx, Operand a, Operand b,
                           View &product) {
  if (a.dims.size() == 1)
    a.dims.insert(a.dims.begin(), 1);
  if (b.dims.size() == 1)
    b.dims.push_back(1);
  int64_t inner = a.dims.back(), columns = b.dims.back();
  if (inner == batchDim || columns == batchDim ||
      b.dims[b.dims.size() - 2] == batchDim)
    return Lowered::refusedBatch("multiplies along the free batch size");
  if (b.dims.size() == 2) {
    View left = cx.splitAt(a.view, a.dims, a.dims.size() - 1);
    product = {left.expr.times(cx.reshape(b.view, {inner}, {columns}).expr),
               left.rows,
               {columns}};
  } else {
    product = batched(cx, a, b);
  }
  return Lowered::done();
}
