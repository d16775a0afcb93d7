//===- TensorKernels.h - Shared by kernels of tensor ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Helpers for sizes and offsets that are partly attributes and partly operands,
// for slices, and for bodies that compute elements from indices.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_TENSORKERNELS_H
#define ONNXFOLD_UPSTREAM_SUPPORT_TENSORKERNELS_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold::upstream {

/// `values` with the dynamic ones replaced by the inputs from number `next` on.
/// `next` becomes the number of the input after these.
Shape mixed(FoldContext &cx, ShapeRef values, unsigned &next);

/// A slice of a tensor by offsets, sizes and strides, each as long as its rank.
struct Slice {
  Shape starts, sizes, steps;
};

/// The offsets, sizes and strides of an operation of
/// OffsetSizeAndStrideOpInterface. `next`: the input with the first offset.
Slice sliceOf(FoldContext &cx, unsigned next);

/// A reason if an index is outside, which is undefined.
Reason checkSlice(const Slice &slice, ShapeRef shape);

/// `x` with a slice of it replaced by `part`. REQUIRES: checkSlice.
Elements insert(const Elements &x, const Elements &part, const Slice &slice);

/// The index that a scalar operand is.
inline int64_t indexOf(FoldContext &cx, unsigned input) {
  return cx.intsOf(input)[0];
}

/// The tensor whose elements the operation's body yields for their indices.
FoldResult generated(FoldContext &cx, DataType type, ShapeRef shape);

/// The body yields the same value for all indices. uniformValue() returns that.
bool isUniform(FoldContext &cx);
FoldResult uniformValue(FoldContext &cx, int64_t rank);

/// A reason if a coordinate is outside. The last dimension of `indices` holds
/// coordinates for the dimensions `dims` of a tensor.
Reason checkCoordinates(const Elements &indices, ShapeRef dims, ShapeRef shape);

/// The permutation that puts `dims` first.
Shape permutationTo(ShapeRef dims, int64_t rank);
Shape inverseOf(ShapeRef permutation);

/// The same bits as another type of the same width; null if the widths differ.
Elements sameBits(const Elements &x, DataType to);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_TENSORKERNELS_H
