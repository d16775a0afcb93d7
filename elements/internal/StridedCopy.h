//===- StridedCopy.h - Row-major reading of strided data --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Copies a range of the row-major order of a strided view into contiguous
// memory: runs by memcpy, broadcasts by fills, transpositions by tiles that fit
// L1. Of the element type only the width matters. Source and destination need
// no alignment. Users read through Elements::Reader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_INTERNAL_STRIDEDCOPY_H
#define ONNXFOLD_ELEMENTS_INTERNAL_STRIDEDCOPY_H

#include "onnxfold/elements/Shape.h"

namespace onnxfold {

/// The plan for reading one strided view, which any number of threads may use.
class StridedCopy {
public:
  /// `width` is the bytes of an element: 1, 2, 4, 8 or 16.
  StridedCopy(ShapeRef shape, ShapeRef strides, unsigned width);

  /// True if every range is one run of memory.
  bool isContiguous() const { return contiguous; }

  /// The address of elements [first, first + count) if they are contiguous;
  /// else null.
  const char *runAt(const char *base, int64_t first, int64_t count) const;
  /// The address of the value if all these elements are one; else null.
  const char *valueAt(const char *base, int64_t first, int64_t count) const;

  /// The length of the rows, if each of them is one run or one value, so that a
  /// range inside a row need not be copied (a slice, or a vector that is
  /// broadcast along rows or across them). 0 if the rows are not like that, or
  /// if the whole view is one run.
  int64_t rowInPlace() const {
    return sizes.size() > 1 && (strides.back() == 0 || strides.back() == 1)
               ? sizes.back()
               : 0;
  }

  /// Writes `count` copies of a value.
  static void fill(const char *value, unsigned width, int64_t count, char *out);

  /// True if a row reads across cache lines of the source. A range should then
  /// cover several rows: a multiple of grain() elements.
  bool isTransposing() const { return partner >= 0; }
  int64_t grain() const { return grainElements; }

  /// Copies elements [first, first + count) in row-major order to `out`.
  /// `base` points at the element whose indices are all 0. `stream` writes past
  /// the caches, for parts of a result that is larger than they are.
  void copy(const char *base, int64_t first, int64_t count, char *out,
            bool stream = false) const;

  /// Copies all elements, on several threads (Parallel.h).
  void copyAll(const char *base, char *out) const;

private:
  const char *rowAt(const char *base, int64_t first, int64_t count) const;

  /// The destination of one range.
  struct Target {
    char *out;
    bool stream;
  };
  void copyRange(size_t d, const char *base, int64_t first, int64_t count,
                 Target to) const;
  void copyBox(size_t d, int64_t count, const char *base, Target to) const;
  void copyRows(int64_t rows, int64_t rowStride, const char *base,
                int64_t outPitch, Target to) const;
  void copyRow(const char *base, int64_t count, Target to) const;
  void copyPlane(int64_t rows, const char *base, Target to) const;
  void copyPlanes(const char *base, int64_t begin, int64_t end,
                  Target to) const;

  unsigned width;
  Shape sizes, strides; // coalesced, no dimension of size 1; at least one
  Shape inner;          // elements below one step of each dimension
  int partner = -1;     // dimension along which the source is contiguous
  bool contiguous = false;
  int64_t grainElements;
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_INTERNAL_STRIDEDCOPY_H
