//===- SpecialFunctions.h - Functions that are not elementary ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// More functions for mapWide and zipWide (Elementwise.h). They compute in twice
// the precision of double and round to double, so that f64 results are within
// 0.501 ulp of the exact value, and f32 results are correctly rounded except in
// about one case in 10^8. Two exceptions:
//
// - Near a zero of lgamma or digamma that is not a whole number the error is at
//   most 2^-90, which is less than 0.001 ulp of results from 2^-27 on.
// - Results below 2^-1021 are rounded twice: within 1 ulp.
//
// An element takes 2 to 6 microseconds, of zeta and polygamma up to 150. The bits
// are the same on every processor. NaN of an operand is NaN.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_SPECIALFUNCTIONS_H
#define ONNXFOLD_ELEMENTS_OPS_SPECIALFUNCTIONS_H

#include <cstddef>

namespace onnxfold::ops::wide {

/// The logarithm of the absolute value of the gamma function; infinite at the
/// whole numbers up to 0, and at both infinities.
void lgamma(double *values, size_t count);

/// The derivative of the logarithm of the gamma function; NaN at the whole
/// numbers up to 0, and at -infinity.
void digamma(double *values, size_t count);

/// exp(-|x|) I1(x), the modified Bessel function of the first kind, scaled.
void besselI1e(double *values, size_t count);

/// The number whose error function is x; NaN beyond -1 and 1.
void erfInv(double *values, size_t count);

/// x[i] = the sum of (q + k) to the power of -x for k from 0 on, q = q[i]. The
/// series has no sum for x < 1: NaN; infinite for 1. REQUIRES: no q[i] <= 0.
void zeta(double *x, const double *q, size_t count);

/// n[i] = the derivative of number n of digamma at x[i]; NaN if n is not a
/// whole number from 0 on. The bounds hold up to n = 10^6.
/// REQUIRES: no x[i] <= 0 where n[i] is not 0.
void polygamma(double *n, const double *x, size_t count);

} // namespace onnxfold::ops::wide

#endif // ONNXFOLD_ELEMENTS_OPS_SPECIALFUNCTIONS_H
