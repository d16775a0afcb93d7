//===- Shape.h - Shapes, strides, broadcasting ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Index arithmetic on dense tensors that does not depend on element types. A
// shape is a list of non-negative dimensions. Strides count elements; a stride
// may be 0 (broadcast) or negative (reversed). All functions are pure and
// thread safe.
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

/// The shape that both broadcast to, or nothing if there is none.
std::optional<Shape> broadcastShapes(ShapeRef a, ShapeRef b);

/// Maps `axis` from [-rank, rank) to [0, rank); nothing if it is outside.
std::optional<int64_t> normalizeAxis(int64_t axis, int64_t rank);

/// Maps all axes; nothing if one is outside [-rank, rank) or named twice.
std::optional<Shape> normalizeAxes(ShapeRef axes, int64_t rank);

/// The shape of a reduction over `axes`: `shape` without these dimensions, or,
/// with `keepDims`, with 1 in their place. REQUIRES: the axes are normalised.
Shape reducedShape(ShapeRef shape, ShapeRef axes, bool keepDims);

/// True if `perm` is a permutation of 0 ... rank-1.
bool isPermutation(ShapeRef perm, int64_t rank);

/// The indices that [start:end:step] selects of a dimension. As in Python,
/// negative bounds count from the end, and bounds outside are clamped. Unlike
/// in Python, a negative step that starts before the first index starts at the
/// first index, as ONNX Slice defines it. A range of fewer than two indices has
/// step 1. REQUIRES: step != 0.
struct SliceRange {
  int64_t start, size, step;
};
SliceRange sliceRange(int64_t dim, int64_t start, int64_t end, int64_t step);

/// Strides that show the same elements as (shape, strides) in `newShape`, or
/// nothing if no strides can (the data would have to move).
/// REQUIRES: both shapes have the same number of elements.
std::optional<Shape> reshapeStrides(ShapeRef shape, ShapeRef strides,
                                    ShapeRef newShape);

/// The shape as text for messages: "[2, 3]".
std::string toString(ShapeRef shape);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_SHAPE_H
