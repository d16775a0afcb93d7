//===- Products.cpp - Matrix products of batches --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Products.h"

using namespace onnxfold;
using namespace onnxfold::dml;

View dml::batchedProduct(LoweringContext &cx, const View &a, const View &b,
                         Size batch, Size rows, int64_t inner,
                         int64_t columns) {
  if (batch == Size{})
    return {cx.reshape(a, rows, {inner})
                .expr.times(cx.reshape(b, {inner}, {columns}).expr),
            rows,
            {columns}};
  return {cx.helper("matmul_batched", {a.expr, b.expr, cx.expr(batch),
                                       rows.count, inner, columns}),
          {batch.count * rows.count, batch.perBatch},
          {columns}};
}
