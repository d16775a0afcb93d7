//===- Movement.h - Tensors that are permuted and cut in DML ----*- C++ -*-===//
//
// Without arithmetic, so that NaN and infinities pass. Thread safety and errors:
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

/// Of one axis, the indices, counted from 0: contiguous ones are a slice.
/// REQUIRES: the axis is no batch.
View taken(LoweringContext &cx, const View &view, const Shape &dims,
           int64_t axis, llvm::ArrayRef<int64_t> indices);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_MOVEMENT_H
