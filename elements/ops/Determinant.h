//===- Determinant.h - Determinants of matrices -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Computes the determinant of each matrix of a stack.
//
//   Elements d = determinants(x);     // x [*, m, m], d [*], both f64
//
// The method is LU factorisation with partial pivoting. Thread safety: a pure
// function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_DETERMINANT_H
#define ONNXFOLD_ELEMENTS_OPS_DETERMINANT_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The determinants of the matrices in the last two dimensions, as numpy
/// defines them: 1 for an empty matrix, 0 where a pivot is 0. The result
/// overflows only if double cannot hold the determinant, even if a product of
/// some pivots would overflow. It has the same bits on every machine, and is
/// deferred.
/// REQUIRES: f64; rank >= 2; the last two dimensions are equal.
Elements determinants(const Elements &x);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_DETERMINANT_H
