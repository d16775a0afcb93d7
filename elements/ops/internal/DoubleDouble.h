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
#include <iterator>

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

/// The sum of numbers that may cancel, as if their sums had 265 bits (T. Ogita,
/// S. M. Rump and S. Oishi, 2005).
template <size_t N> DoubleDouble sumOf(std::array<double, N> terms) {
  for (int pass = 0; pass < 4; ++pass)
    for (size_t i = 1; i < N; ++i) {
      DoubleDouble sum = exactSum(terms[i], terms[i - 1]);
      terms[i] = sum.high, terms[i - 1] = sum.low;
    }
  DoubleDouble sum = 0;
  for (double term : terms)
    sum = sum + term;
  return sum;
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

/// exp(x) - 1, accurate near 0 too. REQUIRES: |x| < 0.7.
inline DoubleDouble expm1(DoubleDouble x) {
  constexpr int halvings = 9, terms = 8;
  if (std::fabs(x.high) < 0x1p-110)
    return x;
  x = scaled(x, -halvings);
  DoubleDouble sum = 1;
  for (int i = terms; i > 1; --i)
    sum = 1.0 + sum * x / double(i);
  sum = sum * x;
  // What it is for twice x, and again.
  for (int i = 0; i < halvings; ++i)
    sum = scaled(sum, 1) + sum * sum;
  return sum;
}

/// e to the power of a, which is at most 2^900 however.
inline Scaled exp(DoubleDouble a) {
  double exponent = std::nearbyint(a.high * log2OfE.high);
  DoubleDouble x = a - logOf2 * exponent;
  if (std::fabs(exponent) > 0x1p53)
    x = 0; // the exponent alone is beyond any result
  return {expm1(x) + 1.0, exponent};
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

/// REQUIRES: |x| <= pi / 4, here and for the cosine.
inline DoubleDouble sineNear0(DoubleDouble x) {
  DoubleDouble square = x * x, sum = 1;
  for (int i = 27; i > 1; i -= 2)
    sum = 1.0 - sum * square / double(i * (i - 1));
  return sum * x;
}

inline DoubleDouble cosineNear0(DoubleDouble x) {
  DoubleDouble square = x * x, sum = 1;
  for (int i = 28; i > 1; i -= 2)
    sum = 1.0 - sum * square / double(i * (i - 1));
  return sum;
}

/// sin(pi a). REQUIRES: |a| <= 0.5.
inline DoubleDouble sinPi(DoubleDouble a) {
  if (std::fabs(a.high) <= 0.25)
    return sineNear0(a * pi);
  DoubleDouble cosine = cosineNear0((a.high > 0 ? 0.5 - a : a + 0.5) * pi);
  return a.high > 0 ? cosine : -cosine;
}

struct SinCos {
  DoubleDouble sin, cos;
};

/// Sine and cosine, each accurate where it is near 0 too. REQUIRES: |a| < 2^52.
inline SinCos sinCos(DoubleDouble a) {
  constexpr double halfPi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                               -0x1.f1976b7ed8fbcp-110, 0x1.4cf98e804177dp-164,
                               0x1.31d89cd9128a5p-218};
  double count = std::nearbyint(a.high * 0x1.45f306dc9c883p-1);
  DoubleDouble x = a;
  if (count != 0) {
    std::array<double, 12> terms = {a.low, a.high};
    for (size_t i = 0; i < std::size(halfPi); ++i) {
      DoubleDouble product = exactProduct(-count, halfPi[i]);
      terms[2 * i + 2] = product.low, terms[2 * i + 3] = product.high;
    }
    x = sumOf(terms);
  }
  DoubleDouble sin = x.high == 0 ? x : sineNear0(x), cos = cosineNear0(x);
  switch (int64_t(count) & 3) {
  case 0:
    return {sin, cos};
  case 1:
    return {cos, -sin};
  case 2:
    return {-sin, -cos};
  default:
    return {-cos, sin};
  }
}

} // namespace onnxfold::ops::detail

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_DOUBLEDOUBLE_H
