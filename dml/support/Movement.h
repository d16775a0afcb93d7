//===- Movement.h - Tensors that are permuted and cut in DML ----*- C++ -*-===//
//
// NaN and infinities pass. Thread safety and errors:
// as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_MOVEMENT_H
#define ONNXFOLD_DML_SUPPORT_MOVEMENT_H

#include "onnxfold/dml/Lowering.h"

namespace onnxfold::dml {

/// A view of a tensor `dims`, and what its dimensions are afterwards.
struct Moved {
  View view;
  Shape dims;
};

/// Dimension k of the result is dimension perm[k]. REQUIRES: dimension 0 stays
/// in place, or is no batch.
Moved transposed(LoweringContext &cx, const View &view, const Shape &dims,
                 const Shape &perm);

/// The given axes as the last ones, in their order, and the others before. An
/// input of a reduction. Null view if the batch would have to move.
std::optional<Moved> axesLast(LoweringContext &cx, const View &view,
                              const Shape &dims, const Shape &axes);

/// What has `axis` last, with that axis at its place again. `dims`: as it is.
Moved axisBack(LoweringContext &cx, const View &view, const Shape &dims,
               int64_t axis);

/// Of one axis, the indices, counted from 0: contiguous ones are slices.
/// REQUIRES: the axis is no batch.
View taken(LoweringContext &cx, const View &view, const Shape &dims,
           int64_t axis, llvm::ArrayRef<int64_t> indices);

/// A node that gives of its input 0, along an axis, what indices, its input 1,
/// name; they may be computed, and negative ones count from the end.
Lowered gatherAlong(LoweringContext &cx, int64_t axis);

/// `value` (a scalar) before and after an axis. REQUIRES: the axis is no batch.
View paddedAlong(LoweringContext &cx, const View &view, const Shape &dims,
                 int64_t axis, int64_t before, int64_t after,
                 const Expr &value);

/// Nodes whose result has the same values in the same order: Reshape and others.
Lowered lowerReinterpretation(LoweringContext &cx);

/// Integers as a row or a column.
Expr rowOf(LoweringContext &cx, llvm::StringRef hint,
           llvm::ArrayRef<int64_t> values);
Expr columnOf(LoweringContext &cx, llvm::StringRef hint,
              llvm::ArrayRef<int64_t> values);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_MOVEMENT_H
