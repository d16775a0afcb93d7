//===- TensorKernels.h - Shared by kernels of tensor ------------*- C++ -*-===//
//
// Sizes and offsets that are partly attributes and partly operands, slices, and
// bodies that compute elements from indices.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_TENSORKERNELS_H
#define ONNXFOLD_UPSTREAM_SUPPORT_TENSORKERNELS_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold::upstream {

/// `values`, where those that are dynamic are the inputs from number `next` on,
/// which is moved behind them.
Shape mixed(FoldContext &cx, ShapeRef values, unsigned &next);

/// What `x` has at offsets, sizes and strides. All have its rank.
struct Slice {
  Shape starts, sizes, steps;
};

/// The offsets, sizes and strides of an operation of
/// OffsetSizeAndStrideOpInterface. `next`: the input with the first offset.
Slice sliceOf(FoldContext &cx, unsigned next);

/// An index is outside, which is undefined.
Reason checkSlice(const Slice &slice, ShapeRef shape);

/// `x` with `part` at a slice of it. REQUIRES: checkSlice.
Elements insert(const Elements &x, const Elements &part, const Slice &slice);

/// A scalar operand with an index.
inline int64_t indexOf(FoldContext &cx, unsigned input) {
  return cx.intsOf(input)[0];
}

/// The tensor whose elements the operation's body yields for their indices.
FoldResult generated(FoldContext &cx, DataType type, ShapeRef shape);

/// The body yields one value, whatever the indices are: that.
bool isUniform(FoldContext &cx);
FoldResult uniformValue(FoldContext &cx, int64_t rank);

/// Coordinates of `indices` (its last dimension) for the dimensions `dims` of a
/// tensor: why one is outside.
Reason checkCoordinates(const Elements &indices, ShapeRef dims, ShapeRef shape);

/// The permutation that puts `dims` first.
Shape permutationTo(ShapeRef dims, int64_t rank);
Shape inverseOf(ShapeRef permutation);

/// The same bits as another type of their width; null if it has another.
Elements sameBits(const Elements &x, DataType to);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_TENSORKERNELS_H
