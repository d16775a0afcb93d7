//===- Products.h - Matrix products of batches ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_PRODUCTS_H
#define ONNXFOLD_DML_SUPPORT_PRODUCTS_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

/// The product of (batch, rows, inner) and (batch, inner, columns), each in any
/// view. REQUIRES: `rows` has no free batch size, or `batch` is 1.
View batchedProduct(LoweringContext &cx, const View &a, const View &b,
                    Size batch, Size rows, int64_t inner, int64_t columns);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_PRODUCTS_H
