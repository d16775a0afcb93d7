//===- Reductions.h - Sums, maxima and others over axes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_DML_SUPPORT_REDUCTIONS_H
#define ONNXFOLD_DML_SUPPORT_REDUCTIONS_H

#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Movement.h"

namespace onnxfold::dml {

/// Lowers a Reduce operator. `f` reduces the rows of a matrix to a column; the
/// axes are an attribute or input 1.
Lowered lowerReduction(LoweringContext &cx, const UnaryFunction &f);
template <auto f> Lowered lowerReduction(LoweringContext &cx) {
  return lowerReduction(cx, f);
}

/// Lowers an operator along one axis that keeps the shape. `f` applies it to
/// the rows of a matrix.
Lowered lowerAlongAxis(LoweringContext &cx, int64_t axis,
                       const UnaryFunction &f);

/// Lowers CumSum and CumProd, whose axis is input 1.
Lowered lowerCumulative(LoweringContext &cx);

/// Does the same along several axes, whose values are one row.
Lowered lowerAlongAxes(LoweringContext &cx, Shape axes, const UnaryFunction &f);

/// Lowers ArgMax and ArgMin.
Lowered lowerArgReduction(LoweringContext &cx);

/// Lowers Softmax and LogSoftmax. Before version 13 these are over all
/// dimensions from `axis` on.
Lowered lowerAlongRows(LoweringContext &cx, const UnaryFunction &f);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_REDUCTIONS_H
