//===- Polynomial.h - Parts of loops of f32 and f64 functions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions have no branches, which would keep g++ from vectorising a loop.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_POLYNOMIAL_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_POLYNOMIAL_H

#include "onnxfold/widenum/FloatFormat.h"
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace onnxfold::ops::detail {

constexpr double defaultNan = std::numeric_limits<double>::quiet_NaN();

/// condition ? a : b.
inline double choose(bool condition, double a, double b) {
  return std::bit_cast<double>(onnxfold::detail::select(
      condition, std::bit_cast<uint64_t>(a), std::bit_cast<uint64_t>(b)));
}

/// c[0] + c[1] x + c[2] x^2 ... Even and odd powers are summed separately,
/// which halves the length of the chain of dependent operations.
template <size_t n>
[[gnu::always_inline]] inline double polynomial(const double (&c)[n],
                                                double x) {
  double square = x * x, even = c[n - 1 - (n - 1) % 2], odd = c[n - 1 - n % 2];
  for (size_t i = n - 1 - (n - 1) % 2; i >= 2; i -= 2)
    even = even * square + c[i - 2];
  for (size_t i = n - 1 - n % 2; i >= 3; i -= 2)
    odd = odd * square + c[i - 2];
  return even + x * odd;
}

} // namespace onnxfold::ops::detail

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_POLYNOMIAL_H
