//===- Math.h - Transcendental functions on blocks of doubles ---*- C++ -*-===//
//
// Functions for mapWide and zipWide (Elementwise.h):
//
//   Elements y = mapWide(x, wide::exp);
//   Elements z = zipWide(x, exponents, wide::pow);
//
// They compute in double; the caller rounds once to the element type, so that
// a f32 result is the correctly rounded one but for about one case in 10^8
// (where the exact value is that close to the middle of two floats).
// f64 results are within 1 ulp of the exact value, and special cases (NaN,
// infinities, signed zeros) are those of C99. Exceptions: erf and tanh (1.5
// ulp), sigmoid (2.5 ulp) and softplus (2 ulp), each a formula of its own, and
// erfc (1.5 ulp; 3 ulp where the result is below 2^-1021).
//
// The bits are the same on every x86-64 processor: SLEEF's deterministic
// functions without fused multiply-add, which give the same result in vectors
// of 2, 4 and 8 doubles; the processor picks the width. A NaN that comes out is
// the positive quiet one without payload.
//
// All work in place on any number of values, aligned to 8 bytes; thread safe.
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
/// 1 - erf(x), also where that is tiny.
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
