//===- Arithmetic.h - Scalar arithmetic as ONNX defines it ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions on one element in its ComputeType, for kernels and reductions.
// Integers wrap as two's complement of their width (never undefined behaviour),
// floats follow IEEE 754, and minimum and maximum propagate NaN as numpy does.
// Where ONNX's text is silent, the results are those of the ONNX reference
// evaluator (numpy).
//
//   zip(x, y, [](auto a, auto b) { return add(a, b); });
//   if (divisionUndefined(a, b)) ...             // before a / b of integers
//
// The functions are pure and thread safe. C++ computes + - * / of int8_t and
// int16_t in int, so that converting back wraps; overflow on int32_t and
// int64_t is undefined. add, subtract, multiply and negate wrap on every type.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_ARITHMETIC_H
#define ONNXFOLD_ELEMENTS_OPS_ARITHMETIC_H

#include <cmath>
#include <limits>
#include <type_traits>

namespace onnxfold::ops {
namespace detail {
/// At least `unsigned`: narrower types would be promoted to int, whose
/// overflow is undefined.
template <class T>
using Wrapping = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
} // namespace detail

template <class T> T add(T a, T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return T(detail::Wrapping<T>(a) + detail::Wrapping<T>(b));
  else
    return a + b;
}

template <class T> T subtract(T a, T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return T(detail::Wrapping<T>(a) - detail::Wrapping<T>(b));
  else
    return a - b;
}

template <class T> T multiply(T a, T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return T(detail::Wrapping<T>(a) * detail::Wrapping<T>(b));
  else
    return a * b;
}

template <class T> T negate(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return -a; // 0 - a would lose the sign of zero
  else
    return subtract(T(0), a);
}

template <class T> T absolute(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(a);
  else if constexpr (std::is_signed_v<T>)
    return a < 0 ? negate(a) : a; // the smallest integer wraps to itself
  else
    return a;
}

template <class T> bool isNan(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return a != a;
  else
    return false;
}

/// The larger one; NaN if either is.
template <class T> T maximum(T a, T b) { return isNan(a) || a > b ? a : b; }

/// The smaller one; NaN if either is.
template <class T> T minimum(T a, T b) { return isNan(a) || a < b ? a : b; }

/// True where a / b and a % b are undefined: b is 0, or the quotient overflows.
template <class T> bool divisionUndefined(T a, T b) {
  static_assert(std::is_integral_v<T>);
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return a == std::numeric_limits<T>::min();
  return b == 0;
}

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_ARITHMETIC_H
