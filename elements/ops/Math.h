//===- Math.h - Transcendental functions on blocks of doubles ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions for mapWide and zipWide (Elementwise.h):
//
//   Elements y = mapWide(x, wide::exp);
//   Elements z = zipWide(x, exponents, wide::pow);
//
// They compute in double, and the caller rounds once to the element type. So an
// f32 result is correctly rounded except in about one case in 10^8, where the
// exact value is too close to the middle of two floats.
// f64 results are within 1 ulp of the exact value, and special cases (NaN,
// infinities, signed zeros) are those of C99. Five functions have formulas of
// their own, and other bounds: erf and tanh 1.5 ulp, sigmoid 2.5 ulp, softplus
// 2 ulp, erfc 1.5 ulp (3 ulp where the result is below 2^-1021).
//
// The bits are the same on every x86-64 processor. The functions are SLEEF's
// deterministic ones without fused multiply-add, which give the same result in
// vectors of 2, 4 and 8 doubles; the processor decides the width. A NaN result
// is always the positive quiet one without payload.
//
// All functions work in place on any number of values, which are aligned to 8
// bytes, and are thread safe.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_MATH_H
#define ONNXFOLD_ELEMENTS_OPS_MATH_H

#include <cstddef>

namespace onnxfold::ops::wide {

void exp(double *values, size_t count);
void expm1(double *values, size_t count);
void log(double *values, size_t count);
void log1p(double *values, size_t count);
void erf(double *values, size_t count);
/// 1 - erf(x), accurate also where the result is tiny.
void erfc(double *values, size_t count);
void sin(double *values, size_t count);
void cos(double *values, size_t count);
void tan(double *values, size_t count);
void asin(double *values, size_t count);
void acos(double *values, size_t count);
void atan(double *values, size_t count);
void sinh(double *values, size_t count);
void cosh(double *values, size_t count);
void tanh(double *values, size_t count);
void asinh(double *values, size_t count);
void acosh(double *values, size_t count);
void atanh(double *values, size_t count);

/// 1 / (1 + exp(-x)), without overflow.
void sigmoid(double *values, size_t count);
/// log(1 + exp(x)), without overflow.
void softplus(double *values, size_t count);

/// x[i] = pow(x[i], y[i]).
void pow(double *x, const double *y, size_t count);

} // namespace onnxfold::ops::wide

#endif // ONNXFOLD_ELEMENTS_OPS_MATH_H
