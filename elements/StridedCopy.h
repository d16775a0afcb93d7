//===- StridedCopy.h - Row-major reading of strided data --------*- C++ -*-===//
//
// Copies a range of the row-major order of a strided view into contiguous
// memory: runs by memcpy, broadcasts by fills, transpositions by tiles that
// stay in L1. Element types do not matter, only their width.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_STRIDEDCOPY_H
#define ONNXFOLD_ELEMENTS_STRIDEDCOPY_H

#include "onnxfold/elements/Shape.h"

namespace onnxfold {

/// How to read one strided view; made once, used by any number of threads.
class StridedCopy {
public:
  /// `width` = bytes of an element: 1, 2, 4, 8 or 16.
  StridedCopy(ShapeRef shape, ShapeRef strides, unsigned width);

  /// True if the range [first, first + count) is one run of memory.
  bool isContiguous() const { return sizes.empty() || contiguous; }

  /// True if rows read down columns of the source, so that a range should
  /// cover many whole rows (see preferredRows).
  bool isTransposing() const { return transposing; }

  /// Length of a row: ranges that begin and end at multiples of it are fast.
  int64_t rowLength() const { return sizes.empty() ? 1 : sizes.back(); }

  /// Copies elements [first, first + count) in row-major order to `out`.
  /// `base` points at the element whose indices are all 0.
  void copy(const char *base, int64_t first, int64_t count, char *out) const;

private:
  void copyRows(const char *base, int64_t firstRow, int64_t rows,
                char *out) const;
  int64_t rowOffset(int64_t row) const;

  unsigned width;
  Shape sizes, strides; // coalesced, no dimension of size 1
  bool contiguous = false, transposing = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_STRIDEDCOPY_H
