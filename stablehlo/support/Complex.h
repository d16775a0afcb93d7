//===- Complex.h - Functions of complex numbers -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// map and zip for complex64 and complex128. Both are computed in double, and
// complex64 is rounded once. Null for other types.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_SUPPORT_COMPLEX_H
#define ONNXFOLD_STABLEHLO_SUPPORT_COMPLEX_H

#include "onnxfold/elements/ops/Elementwise.h"
#include <complex>

namespace onnxfold::hlo {

using Complex = std::complex<double>;

/// The float type of the parts.
inline DataType partType(DataType type) {
  return type == DataType::Complex64 ? DataType::Float32 : DataType::Float64;
}

inline Elements inDouble(const Elements &x) {
  return isComplex(x.type()) ? ops::cast(x, DataType::Complex128) : Elements();
}

/// Without the recovery of infinities that C has, as XLA.
inline Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

/// Numbers of these parts, which broadcast, in a complex type.
inline Elements fromParts(const Elements &real, const Elements &imag,
                          DataType type) {
  return ops::cast(ops::zipAs<Complex, double, double>(
                       ops::cast(real, DataType::Float64),
                       ops::cast(imag, DataType::Float64),
                       [](double a, double b) { return Complex(a, b); }),
                   type);
}

/// Real numbers, rounded to the parts of a complex type.
inline Elements complexOf(const Elements &real, DataType type) {
  return fromParts(ops::cast(real, partType(type)),
                   Elements::splat<double>({}, 0), type);
}

template <class F> Elements mapComplex(const Elements &x, F f) {
  return ops::cast(ops::mapAs<Complex, Complex>(inDouble(x), f), x.type());
}

template <class F>
Elements zipComplex(const Elements &x, const Elements &y, F f) {
  return ops::cast(
      ops::zipAs<Complex, Complex, Complex>(inDouble(x), inDouble(y), f),
      x.type());
}

/// A real function of a complex number.
template <class F> Elements partOf(const Elements &x, F f) {
  return ops::cast(ops::mapAs<double, Complex>(inDouble(x), f),
                   partType(x.type()));
}

inline Elements realOf(const Elements &x) {
  return partOf(x, [](Complex a) { return a.real(); });
}
inline Elements imagOf(const Elements &x) {
  return partOf(x, [](Complex a) { return a.imag(); });
}

} // namespace onnxfold::hlo

#endif // ONNXFOLD_STABLEHLO_SUPPORT_COMPLEX_H
