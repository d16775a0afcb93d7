//===- DoubleDouble.h - Numbers of twice the precision of double -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A number is the sum of two doubles, of which the second one is at most half a
// unit in the last place of the first: 106 bits (T. J. Dekker, 1971; Y. Hida, X.
// S. Li and D. H. Bailey, 2001). Basic operations are within 2^-102 of the exact
// value, the functions below within 2^-98.
//
// REQUIRES: operands and results are between 2^-900 and 2^900, or 0. Nothing
// here knows infinities, NaN, or subnormal numbers.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_DOUBLEDOUBLE_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_DOUBLEDOUBLE_H

#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cmath>
#include <cstdint>

namespace onnxfold::ops::detail {

struct DoubleDouble {
  double high = 0, low = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double high, double low = 0) : high(high), low(low) {}
};

/// a + b. REQUIRES: |a| >= |b|, or a is 0.
constexpr DoubleDouble sumOfOrdered(double a, double b) {
  double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b.
constexpr DoubleDouble exactSum(double a, double b) {
  double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a * b, by halves of 26 bits: the build has no fused multiplication.
constexpr DoubleDouble exactProduct(double a, double b) {
  auto half = [](double x) {
    double large = x * 134217729.0; // 2^27 + 1
    return large - (large - x);
  };
  double product = a * b, aTop = half(a), bTop = half(b);
  double aRest = a - aTop, bRest = b - bTop;
  return {product, ((aTop * bTop - product) + aTop * bRest + aRest * bTop) +
                       aRest * bRest};
}

constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble high = exactSum(a.high, b.high), low = exactSum(a.low, b.low);
  high = sumOfOrdered(high.high, high.low + low.high);
  return sumOfOrdered(high.high, high.low + low.low);
}

constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + -b;
}

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  DoubleDouble product = exactProduct(a.high, b.high);
  return sumOfOrdered(product.high,
                      product.low + (a.high * b.low + a.low * b.high));
}

constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  double first = a.high / b.high;
  DoubleDouble rest = a - b * first;
  double second = rest.high / b.high;
  rest = rest - b * second;
  return sumOfOrdered(first, second) + rest.high / b.high;
}

inline DoubleDouble scaled(DoubleDouble a, int exponent) {
  return {std::ldexp(a.high, exponent), std::ldexp(a.low, exponent)};
}

inline DoubleDouble sqrt(DoubleDouble a) {
  if (a.high == 0)
    return a;
  double root = std::sqrt(a.high);
  DoubleDouble rest = a - exactProduct(root, root);
  return sumOfOrdered(root, rest.high / (2 * root));
}

inline constexpr DoubleDouble pi = {0x1.921fb54442d18p+1,
                                    0x1.1a62633145c07p-53};
inline constexpr DoubleDouble log2OfE = {0x1.71547652b82fep+0};
inline constexpr DoubleDouble logOf2 = {0x1.62e42fefa39efp-1,
                                        0x1.abc9e3b39803fp-56};

/// A number times a power of two, which may be beyond those of double.
struct Scaled {
  DoubleDouble number;
  double exponent = 0; // an integer

  /// Rounded to double: twice where the result is subnormal.
  double rounded() const {
    double limited = std::fmin(std::fmax(exponent, -3000), 3000);
    return std::ldexp(number.high + number.low, int(limited));
  }
};

inline Scaled operator*(Scaled a, Scaled b) {
  return {a.number * b.number, a.exponent + b.exponent};
}

/// e to the power of a, which is at most 2^900 however.
inline Scaled exp(DoubleDouble a) {
  double exponent = std::nearbyint(a.high * log2OfE.high);
  DoubleDouble x = a - logOf2 * exponent;
  if (std::fabs(exponent) > 0x1p53)
    x = 0; // the exponent alone is beyond any result
  constexpr int halvings = 9, terms = 8;
  x = scaled(x, -halvings);
  // exp(x) - 1, and what it is for twice x, and again.
  DoubleDouble sum = 1;
  for (int i = terms; i > 1; --i)
    sum = 1.0 + sum * x / double(i);
  sum = sum * x;
  for (int i = 0; i < halvings; ++i)
    sum = scaled(sum, 1) + sum * sum;
  return {sum + 1.0, exponent};
}

/// 1, 1/3 ... 1/43.
inline constexpr std::array<DoubleDouble, 22> inverseOdd = [] {
  std::array<DoubleDouble, 22> all;
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = DoubleDouble(1) / double(2 * i + 1);
  return all;
}();

/// 2 atanh(z) = log((1 + z) / (1 - z)). REQUIRES: |z| < 0.172.
inline DoubleDouble logOfRatio(DoubleDouble z) {
  DoubleDouble square = z * z, sum = 0;
  for (DoubleDouble inverse : llvm::reverse(inverseOdd))
    sum = sum * square + inverse;
  return scaled(z * sum, 1);
}

/// The natural logarithm, accurate near 1 too. REQUIRES: a > 0; the high part
/// may be any finite number.
inline DoubleDouble log(DoubleDouble a) {
  int exponent;
  double fraction = std::frexp(a.high, &exponent); // from 0.5 on
  if (fraction < 0.70710678118654752)
    --exponent;
  DoubleDouble m = scaled(a, -exponent);
  return logOfRatio((m - 1.0) / (m + 1.0)) + logOf2 * double(exponent);
}

/// log(1 + a). REQUIRES: a > -1.
inline DoubleDouble log1p(DoubleDouble a) {
  return std::fabs(a.high) < 0.25 ? logOfRatio(a / (a + 2.0)) : log(a + 1.0);
}

/// sin(pi a). REQUIRES: |a| <= 0.5.
inline DoubleDouble sinPi(DoubleDouble a) {
  bool isNearOne = std::fabs(a.high) > 0.25;
  DoubleDouble rest = isNearOne ? (a.high > 0 ? 0.5 - a : a + 0.5) : a;
  DoubleDouble x = rest * pi, square = x * x, sum = 1;
  // The powers of the sine end with x^27, those of the cosine with x^28.
  for (int i = isNearOne ? 28 : 27; i > 1; i -= 2)
    sum = 1.0 - sum * square / double(i * (i - 1));
  return !isNearOne ? sum * x : a.high > 0 ? sum : -sum;
}

} // namespace onnxfold::ops::detail

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_DOUBLEDOUBLE_H
