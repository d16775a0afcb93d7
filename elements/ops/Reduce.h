//===- Reduce.h - Reductions, searches and scans along axes -----*- C++ -*-===//
//
// Functions that combine the elements of one or more axes.
//
//   Elements y = reduce(x, {0, 2}, /*keepDims=*/true, Reduction::Sum);
//   Elements i = argReduce(x, 1, false, /*largest=*/true, false);
//
// Precision: f32 and narrower accumulate in double and round once; f64 sums
// are pairwise. The tree of every sum is fixed by shape and axes alone, so
// the bits depend neither on threads nor on whether x is a view. Integers
// wrap in their type.
//
// Axes are normalised and unique. Rank 0 and empty tensors are ordinary input.
// Results are deferred where their shape is known without looking at values.
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

/// x without `axes` (keepDims: with 1 in their place).
///
/// Empty `axes`: nothing is combined, the element-wise part still applies
/// (SumSquare gives x * x), as ONNX's noop_with_empty_axes wants it; the caller
/// turns "all axes" into a list.
/// Of no elements: 0 (Sum, SumSquare, L1, L2, Or, Xor), 1 (Product), -inf
/// (LogSum, LogSumExp), NaN (Mean), the lowest and highest value or infinity
/// (Max, Min), true or all bits (And).
/// Types: integers of 8 to 64 bits and f16 to f64; Min and Max also bool; And,
/// Or and Xor bool and these integers. Other monoids: ReduceWith.h.
/// Min and Max hand NaN on. Mean of integers is the wrapped sum over the
/// count, truncated; REQUIRES: at least one element then.
/// L2, LogSum and LogSumExp of INTEGERS are returned as f64: whether they fit
/// the integer type is for the caller to check (firstNotConvertible) and cast.
Elements reduce(const Elements &x, ShapeRef axes, bool keepDims,
                Reduction kind);

/// Whether all elements are nonzero (isNonZero), or any is: bool. Of none:
/// true, false.
Elements all(const Elements &x, ShapeRef axes, bool keepDims);
Elements any(const Elements &x, ShapeRef axes, bool keepDims);

/// Index (i64) of the largest or smallest element along an axis: the first such
/// index, or the last. NaN beats every number, as numpy has it.
/// Types as reduce with Max. REQUIRES: the axis is not empty.
Elements argReduce(const Elements &x, int64_t axis, bool keepDims, bool largest,
                   bool selectLast);

struct TopK {
  Elements values, indices; // indices: i64
};

/// The k largest or smallest elements along an axis, best first. Of equal
/// elements (0 and -0 too) the lower index comes first; NaN counts as the
/// largest of all. All k = dimension of them: the order of argSort (Sort.h).
/// Numbers of every width and bool. REQUIRES: 0 <= k <= dimension.
TopK topK(const Elements &x, int64_t k, int64_t axis, bool largest);

/// Running sums along an axis; each is rounded once from the exact accumulator
/// (see above). exclusive: without the element itself. reverse: from the end.
Elements cumulativeSum(const Elements &x, int64_t axis, bool exclusive = false,
                       bool reverse = false);
/// As cumulativeSum, with products.
Elements cumulativeProduct(const Elements &x, int64_t axis,
                           bool exclusive = false, bool reverse = false);

/// Which elements are not zero (NaN is not; of strings: not empty), as bool.
/// Every type but symbols.
Elements isNonZero(const Elements &x);

/// Indices of the elements that are not zero (see above), i64 of shape [rank,
/// count]: for rank 0 of shape [0, count]. Computed at once, since the shape
/// depends on the values; takes a bit for each element while it works.
Elements nonZero(const Elements &x);

/// exp(x) / sum(exp(x)) along one axis, and its logarithm; in double
/// throughout, rounded once. Float types only (else null).
Elements softmax(const Elements &x, int64_t axis);
Elements logSoftmax(const Elements &x, int64_t axis);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_REDUCE_H
