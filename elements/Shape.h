//===- Shape.h - Shapes, strides, broadcasting ------------------*- C++ -*-===//
//
// Index arithmetic on dense tensors, free of element types. A shape is a list
// of non-negative dimensions; strides count elements, may be 0 (broadcast) or
// negative (reversed). All functions are pure and thread safe.
//
//   Shape s = {2, 3};
//   numElements(s);                      // 6
//   rowMajorStrides(s);                  // {3, 1}
//   *broadcastShapes({2, 1}, {3});       // {2, 3}
//
// Broadcasting is numpy's (ONNX "Multidirectional Broadcasting").
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_SHAPE_H
#define ONNXFOLD_ELEMENTS_SHAPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace onnxfold {

using Shape = llvm::SmallVector<int64_t, 4>;
using ShapeRef = llvm::ArrayRef<int64_t>;

/// Product of the dimensions; 1 for rank 0.
/// REQUIRES: the product fits into int64 (see checkedNumElements).
int64_t numElements(ShapeRef shape);

/// The product, or nothing when a dimension is negative or the product
/// overflows int64.
std::optional<int64_t> checkedNumElements(ShapeRef shape);

/// Strides of a contiguous row-major tensor.
Shape rowMajorStrides(ShapeRef shape);

/// The common shape of both under numpy broadcasting, or nothing.
std::optional<Shape> broadcastShapes(ShapeRef a, ShapeRef b);

/// Maps `axis` from [-rank, rank) to [0, rank); nothing if it is outside.
std::optional<int64_t> normalizeAxis(int64_t axis, int64_t rank);

/// Maps all axes; nothing if one is outside [-rank, rank) or named twice.
std::optional<Shape> normalizeAxes(ShapeRef axes, int64_t rank);

/// The dimensions that a reduction over `axes` leaves, or 1 in their place.
/// REQUIRES: normalised axes.
Shape reducedShape(ShapeRef shape, ShapeRef axes, bool keepDims);

/// True if `perm` is a permutation of 0 ... rank-1.
bool isPermutation(ShapeRef perm, int64_t rank);

/// What [start:end:step] takes of a dimension: negative bounds count from its
/// end, those beyond it are clamped. As in Python, except that a negative step
/// from before the first index starts with the first index, as ONNX Slice has
/// it. A step matters only for two indices and more, so it is 1 for fewer.
/// REQUIRES: step != 0.
struct SliceRange {
  int64_t start, size, step;
};
SliceRange sliceRange(int64_t dim, int64_t start, int64_t end, int64_t step);

/// Strides that show the same elements as (shape, strides) in `newShape`, or
/// nothing if no strides can (the data would have to move).
/// REQUIRES: both shapes have the same number of elements.
std::optional<Shape> reshapeStrides(ShapeRef shape, ShapeRef strides,
                                    ShapeRef newShape);

/// "[2, 3]", for messages.
std::string toString(ShapeRef shape);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_SHAPE_H
