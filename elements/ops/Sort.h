//===- Sort.h - Sorting and unique elements ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Sorts along an axis, and finds the distinct elements or slices of a tensor.
//
//   Elements y = sort(x, 1);                    // rows, ascending
//   Elements i = argSort(x, 0, /*descending=*/true);
//   Unique u = unique(labels);
//   gather(u.values, u.inverse, 0);             // the labels, in a row
//
// Numbers are ordered by their value, false before true, strings by their
// bytes, and complex numbers by the real part, then by the imaginary one. NaN
// counts as the largest of all (last in ascending, first in descending order),
// and 0 and -0 are equal. topK (Reduce.h) and numpy have the same order.
// The functions take all types but Opaque, for which they return null.
//
// Axes are normalised. Rank 0 and empty tensors are ordinary input; rank 0 has
// no axis to sort along. Thread safety: pure functions. REQUIRES clauses are
// asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_SORT_H
#define ONNXFOLD_ELEMENTS_OPS_SORT_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The elements in order along an axis. The sort is stable: equal elements (0
/// and -0, NaNs of different payloads) keep their order, in descending order
/// too. The result is deferred; computing it takes 16 to 40 bytes for each
/// element of a row.
Elements sort(const Elements &x, int64_t axis, bool descending = false);

/// The indices along the axis, i64, that sort the elements:
/// gatherElements(x, argSort(x, axis), axis) is sort(x, axis). The result is
/// deferred.
Elements argSort(const Elements &x, int64_t axis, bool descending = false);

struct UniqueOptions {
  /// The axis whose slices are compared; nothing compares the elements.
  std::optional<int64_t> axis = {};
  /// True: the values are in ascending order (slices in that of their first
  /// differing elements). False: they are in the order of their first
  /// occurrences.
  bool sorted = true;
  /// True: all NaNs are one value, as in numpy.unique and in ONNX's reference
  /// evaluator without an axis. False: each NaN (or slice with one) differs
  /// from all others, as in these along an axis.
  bool nansAreEqual = true;
};

/// The result of unique() for n elements (slices), m of which are distinct.
/// Indices and counts are i64.
struct Unique {
  Elements values;  // [m], or x with m in place of the axis
  Elements first;   // [m]: the index of each value's first occurrence
  Elements inverse; // [n]: the index in `values` of each element
  Elements counts;  // [m]: the number of each value's occurrences
};

/// numpy.unique, ONNX Unique. Of equal elements that differ in their bits (0
/// and -0, NaNs of different payloads) `values` has the first one. Slices
/// without elements are all equal. The result is computed at once, because the
/// shape depends on the values; this takes about 40 bytes per element.
Unique unique(const Elements &x, const UniqueOptions &options = {});

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_SORT_H
