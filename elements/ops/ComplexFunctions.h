//===- ComplexFunctions.h - Functions of complex numbers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions of a finite complex number. They compute in twice the
// precision of double and round once, so that each part is within 0.501 ulp of
// the exact one, and within 2 ulp where it is below 2^-900. Branches and signs
// of zeros are those of C99; a part that overflows is infinite.
//
//   std::optional<complex::Number> root = complex::sqrt({-4, -0.0}); // -2i
//
// Nothing is returned where the function has a pole without a direction, where
// an angle is 2^52 or more, and where a part is the small rest of numbers that
// cancel to more than 42 bits. An element takes 2 to 20 microseconds. The bits
// are the same on every processor.
//
// REQUIRES: no part of an operand is NaN or infinite.
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_COMPLEXFUNCTIONS_H
#define ONNXFOLD_ELEMENTS_OPS_COMPLEXFUNCTIONS_H

#include <complex>
#include <optional>

namespace onnxfold::ops::complex {

using Number = std::complex<double>;
using Function = std::optional<Number> (*)(Number);
using Function2 = std::optional<Number> (*)(Number, Number);

std::optional<Number> exp(Number z);
std::optional<Number> expm1(Number z);
std::optional<Number> log(Number z);
std::optional<Number> log1p(Number z);
/// 1 / (1 + exp(-z)).
std::optional<Number> logistic(Number z);

std::optional<Number> sin(Number z);
std::optional<Number> cos(Number z);
std::optional<Number> tan(Number z);
std::optional<Number> sinh(Number z);
std::optional<Number> cosh(Number z);
std::optional<Number> tanh(Number z);

std::optional<Number> asin(Number z);
std::optional<Number> acos(Number z);
std::optional<Number> atan(Number z);
std::optional<Number> asinh(Number z);
std::optional<Number> acosh(Number z);
std::optional<Number> atanh(Number z);

std::optional<Number> sqrt(Number z);
/// 1 / sqrt(z).
std::optional<Number> rsqrt(Number z);
/// The root whose angle is a third of that of z.
std::optional<Number> cbrt(Number z);
/// z / |z|; a zero is itself.
std::optional<Number> sign(Number z);

/// exp(w log(z)), the principal value; 1 where w is 0.
std::optional<Number> pow(Number z, Number w);

} // namespace onnxfold::ops::complex

#endif // ONNXFOLD_ELEMENTS_OPS_COMPLEXFUNCTIONS_H
