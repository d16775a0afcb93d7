//===- Movement.h - Tensors that are permuted and cut in DML ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// NaN and infinities are kept. Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_MOVEMENT_H
#define ONNXFOLD_DML_SUPPORT_MOVEMENT_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

/// A view of a tensor, and its dimensions.
struct Moved {
  View view;
  Shape dims;
};

/// Permutes: dimension k of the result is dimension perm[k]. REQUIRES: perm[0]
/// is 0, or dimension 0 is not the batch.
Moved transposed(LoweringContext &cx, const View &view, const Shape &dims,
                 const Shape &perm);

/// Moves the given axes to the end, in their order, as a reduction needs them.
/// Nothing if the batch would have to move.
std::optional<Moved> axesLast(LoweringContext &cx, const View &view,
                              const Shape &dims, const Shape &axes);

/// Moves the last axis back to place `axis`. `dims` are the dimensions before.
Moved axisBack(LoweringContext &cx, const View &view, const Shape &dims,
               int64_t axis);

/// Takes the indices of one axis, counted from 0. Contiguous indices are
/// slices. REQUIRES: the axis is not the batch.
View taken(LoweringContext &cx, const View &view, const Shape &dims,
           int64_t axis, llvm::ArrayRef<int64_t> indices);

/// Lowers a node that gathers from input 0, along an axis, at the indices of
/// input 1. The indices may be computed, and negative ones count from the end.
Lowered gatherAlong(LoweringContext &cx, int64_t axis);

/// Pads with `value` (a scalar) before and after an axis. REQUIRES: the axis is
/// not the batch.
View paddedAlong(LoweringContext &cx, const View &view, const Shape &dims,
                 int64_t axis, int64_t before, int64_t after,
                 const Expr &value);

/// Lowers nodes whose result has the same values in the same order, such as
/// Reshape.
Lowered lowerReinterpretation(LoweringContext &cx);

/// Integers as a row or a column.
Expr rowOf(LoweringContext &cx, llvm::StringRef hint,
           llvm::ArrayRef<int64_t> values);
Expr columnOf(LoweringContext &cx, llvm::StringRef hint,
              llvm::ArrayRef<int64_t> values);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_MOVEMENT_H
