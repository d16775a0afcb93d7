//===- Odometer.h - Walking the row-major order of a shape ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An Odometer gives the offsets of successive indices without a division per
// step. Operations that move data use it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_INTERNAL_ODOMETER_H
#define ONNXFOLD_ELEMENTS_INTERNAL_ODOMETER_H

#include "onnxfold/elements/Shape.h"

namespace onnxfold {

/// The index with row-major number `first`, then its successors; offset() is
/// the sum of index * stride. REQUIRES: no dimension is 0.
class Odometer {
public:
  Odometer(ShapeRef shape, ShapeRef strides, int64_t first)
      : shape(shape), strides(strides), index(shape.size()) {
    for (size_t d = shape.size(); d-- > 0;) {
      index[d] = first % shape[d];
      first /= shape[d];
      sum += index[d] * strides[d];
    }
  }

  int64_t offset() const { return sum; }
  int64_t operator[](size_t d) const { return index[d]; }

  void next() {
    for (size_t d = shape.size(); d-- > 0;) {
      sum += strides[d];
      if (++index[d] < shape[d])
        return;
      sum -= strides[d] * shape[d];
      index[d] = 0;
    }
  }

private:
  ShapeRef shape, strides;
  Shape index;
  int64_t sum = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_INTERNAL_ODOMETER_H
