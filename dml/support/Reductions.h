//===- Reductions.h - Sums, maxima and others over axes ---------*- C++ -*-===//
#ifndef ONNXFOLD_DML_SUPPORT_REDUCTIONS_H
#define ONNXFOLD_DML_SUPPORT_REDUCTIONS_H

#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Movement.h"

namespace onnxfold::dml {

/// A Reduce operator: `f` makes a column of a matrix whose rows are reduced;
/// the axes are an attribute or input 1.
Lowered lowerReduction(LoweringContext &cx, const UnaryFunction &f);

/// An operator along one axis that keeps the shape: `f` is that for the rows of
/// a matrix.
Lowered lowerAlongAxis(LoweringContext &cx, int64_t axis,
                       const UnaryFunction &f);

/// CumSum and CumProd: the axis is input 1.
Lowered lowerCumulative(LoweringContext &cx);

/// The same as lowerAlongAxis along several axes, whose values are one row.
Lowered lowerAlongAxes(LoweringContext &cx, Shape axes, const UnaryFunction &f);

/// ArgMax and ArgMin.
Lowered lowerArgReduction(LoweringContext &cx);

/// Softmax and LogSoftmax: before version 13 of all dimensions from `axis` on.
Lowered lowerAlongRows(LoweringContext &cx, const UnaryFunction &f);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_REDUCTIONS_H
