//===- Weights.h - Constant linear maps of an axis --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Computes sums of elements with constant weights, such as the pixels of a
// resized image. An element of weight 0 has no effect, even if it is infinite
// or NaN.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_WEIGHTS_H
#define ONNXFOLD_DML_SUPPORT_WEIGHTS_H

#include "onnxfold/dml/support/Movement.h"

namespace onnxfold::dml {

/// A term `weight` * element `from` of the sum that is element `to`.
struct Tap {
  int64_t from, to;
  double weight = 1;
};

/// A matrix of `size` columns, which are weighted sums of the columns of
/// `rows`.
View weighedColumns(LoweringContext &cx, const View &rows, int64_t size,
                    llvm::ArrayRef<Tap> taps);

/// The same along an axis, which becomes `size` long. REQUIRES: no batch.
View weighedAxis(LoweringContext &cx, const View &view, const Shape &dims,
                 int64_t axis, int64_t size, llvm::ArrayRef<Tap> taps);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_WEIGHTS_H
