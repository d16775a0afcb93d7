//===- Sort.h - Sorting and unique elements ---------------------*- C++ -*-===//
//
//   Elements y = sort(x, 1);                    // rows, ascending
//   Elements i = argSort(x, 0, /*descending=*/true);
//   Unique u = unique(labels);
//   gather(u.values, u.inverse, 0);             // the labels, in a row
//
// The order: numbers by their value, false before true, strings by their bytes,
// complex numbers by the real part, then by the imaginary one. NaN counts as
// the largest of all (last in ascending, first in descending order), 0 and -0
// as equal. It is the order of topK (Reduce.h) and numpy.
// Types: all but symbols; a function returns null for these.
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

/// The elements in order along an axis. Stable: equal elements (0 and -0, NaNs
/// of different payloads) keep their order, in descending order too. Deferred;
/// takes 16 to 40 bytes for each element of a row while it works.
Elements sort(const Elements &x, int64_t axis, bool descending = false);

/// Their indices along the axis, i64: gatherElements(x, argSort(x, axis), axis)
/// is sort(x, axis). Deferred.
Elements argSort(const Elements &x, int64_t axis, bool descending = false);

struct UniqueOptions {
  /// Compare slices along this axis; nothing: the elements in row-major order.
  std::optional<int64_t> axis = {};
  /// In ascending order (slices: that of their first differing elements), else
  /// as each first occurs.
  bool sorted = true;
  /// All NaNs are one value, as numpy.unique and ONNX's reference evaluator
  /// have it without an axis; else each NaN (or slice with one) differs from
  /// all others, as they have it along an axis.
  bool nansAreEqual = true;
};

/// With n elements (slices) of which m differ; indices are i64.
struct Unique {
  Elements values;  // [m], or x with m in place of the axis
  Elements first;   // [m]: where each occurs first
  Elements inverse; // [n]: which of `values` each element is
  Elements counts;  // [m]: how often each occurs
};

/// numpy.unique, ONNX Unique. Each value is the one that occurs first (of 0 and
/// -0, of NaNs of different payloads). Slices without elements are all equal.
/// Computed at once, since the shape depends on the values; takes about 40
/// bytes per element while it works.
Unique unique(const Elements &x, const UniqueOptions &options = {});

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_SORT_H
