//===- Reduce.h - Reductions, searches and scans along axes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that combine the elements of one or more axes.
//
//   Elements y = reduce(x, {0, 2}, /*keepDims=*/true, Reduction::Sum);
//   Elements i = argReduce(x, 1, false, /*largest=*/true, false);
//
// Precision: f32 and narrower types accumulate in double and are rounded once;
// f64 sums are pairwise. Shape and axes alone determine the tree of every sum,
// so the bits depend neither on threads nor on whether x is a view. Integers
// wrap in their type.
//
// Axes are normalised and unique. Rank 0 and empty tensors are ordinary input.
// Results are deferred where their shape does not depend on values.
// Thread safety: pure functions. REQUIRES clauses are asserted; a function
// returns null for an element type that it does not take.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_REDUCE_H
#define ONNXFOLD_ELEMENTS_OPS_REDUCE_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

enum class Reduction : uint8_t {
  Sum,
  Product,
  Min,
  Max,
  Mean,
  SumSquare, // of x * x
  L1,        // sum of |x|
  L2,        // square root of SumSquare
  LogSum,    // log of Sum
  LogSumExp, // log of the sum of exp(x), without overflow
  And,       // of bools; of integers bit by bit
  Or,
  Xor,
};

/// x reduced over `axes`. The result has x's shape without these axes, or, with
/// `keepDims`, with 1 in their place.
///
/// If `axes` is empty, nothing is combined, but the element-wise part applies
/// (SumSquare gives x * x), as ONNX's noop_with_empty_axes requires. The caller
/// turns "all axes" into a list.
/// The reduction of no elements is 0 (Sum, SumSquare, L1, L2, Or, Xor), 1
/// (Product), -inf (LogSum, LogSumExp), NaN (Mean), the lowest value or -inf
/// (Max), the highest value or inf (Min), true or all bits (And).
/// And, Or and Xor take bool and integers of 8 to 64 bits; Min and Max take
/// bool, these integers, and f16 to f64; the others take these integers and
/// floats. ReduceWith.h has other monoids.
/// Min and Max propagate NaN. The Mean of integers is the wrapped sum divided
/// by the count, truncated; it REQUIRES at least one element.
/// L2, LogSum and LogSumExp of INTEGERS are returned as f64: the caller checks
/// whether they fit the integer type (firstNotConvertible) and casts.
Elements reduce(const Elements &x, ShapeRef axes, bool keepDims,
                Reduction kind);

/// Whether all elements are nonzero (isNonZero), or any is, as bool. For no
/// elements all is true, and any is false.
Elements all(const Elements &x, ShapeRef axes, bool keepDims);
Elements any(const Elements &x, ShapeRef axes, bool keepDims);

/// The index (i64) of the largest or smallest element along an axis. Of equal
/// elements it is the first one, or, with `selectLast`, the last one. A NaN is
/// selected before any number, as in numpy. The function takes the types of
/// reduce with Max. REQUIRES: the axis is not empty.
Elements argReduce(const Elements &x, int64_t axis, bool keepDims, bool largest,
                   bool selectLast);

struct TopK {
  Elements values, indices; // indices: i64
};

/// The k largest or smallest elements along an axis, in the order of argSort
/// (Sort.h), descending or ascending. Of equal elements (0 and -0 too) the one
/// of the lower index comes first; NaN counts as the largest of all. The
/// function takes numbers of every width, and bool.
/// REQUIRES: 0 <= k <= dimension.
TopK topK(const Elements &x, int64_t k, int64_t axis, bool largest);

/// The cumulative sums along an axis, each rounded once from the accumulator
/// (see above). `exclusive` leaves out the element itself. `reverse` starts at
/// the end of the axis.
Elements cumulativeSum(const Elements &x, int64_t axis, bool exclusive = false,
                       bool reverse = false);
/// Does for products what cumulativeSum does.
Elements cumulativeProduct(const Elements &x, int64_t axis,
                           bool exclusive = false, bool reverse = false);

/// Whether each element is nonzero, as bool. NaN is nonzero; a string is
/// nonzero if it is not empty. The function takes every type but Opaque.
Elements isNonZero(const Elements &x);

/// The indices of the nonzero elements (isNonZero), as i64 of shape [rank,
/// count], which is [0, count] for rank 0. They are computed at once, because
/// the shape depends on the values; this takes one bit for each element.
Elements nonZero(const Elements &x);

/// exp(x) / sum(exp(x)) along one axis, and its logarithm, computed in double
/// and rounded once. Null if x has no float type.
Elements softmax(const Elements &x, int64_t axis);
Elements logSoftmax(const Elements &x, int64_t axis);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_REDUCE_H
