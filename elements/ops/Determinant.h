//===- Determinant.h - Determinants of matrices -----------------*- C++ -*-===//
//
//   Elements d = determinants(x);     // x [*, m, m], d [*], both f64
//
// By LU factorisation with partial pivoting. Thread safety: a pure function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_DETERMINANT_H
#define ONNXFOLD_ELEMENTS_OPS_DETERMINANT_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The determinants of the matrices in the last two dimensions, as numpy has
/// them: 1 of an empty matrix, 0 where a pivot is 0. Only a determinant that
/// double cannot hold overflows, not a product of some of its pivots. The same
/// bits on every machine; deferred.
/// REQUIRES: f64; rank >= 2; the last two dimensions are equal.
Elements determinants(const Elements &x);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_DETERMINANT_H
