//===- SpecialFunctions.cpp - Functions that are not elementary -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Series whose terms have one sign, or whose sum is not smaller than its terms,
// in numbers of 106 bits.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/SpecialFunctions.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/internal/DoubleDouble.h"
#include <array>
#include <iterator>
#include <limits>

using namespace onnxfold::ops;
using namespace onnxfold::ops::detail;

/// Functions whose names the standard library has too.
namespace dd = onnxfold::ops::detail;

static constexpr double infinite = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// The Bernoulli numbers B2, B4 ... B30: numerator and denominator.
static constexpr struct {
  double numerator, denominator;
} bernoulli[] = {{1, 6},
                 {-1, 30},
                 {1, 42},
                 {-1, 30},
                 {5, 66},
                 {-691, 2730},
                 {7, 6},
                 {-3617, 510},
                 {43867, 798},
                 {-174611, 330},
                 {854513, 138},
                 {-236364091, 2730},
                 {8553103, 6},
                 {-23749461029, 870},
                 {8615841276005, 14322}};

static constexpr int terms = int(std::size(bernoulli));

static constexpr auto bernoulliNumbers = [] {
  std::array<DoubleDouble, terms> all;
  for (int i = 0; i < terms; ++i)
    all[i] = DoubleDouble(bernoulli[i].numerator) / bernoulli[i].denominator;
  return all;
}();

/// B[2k] for k from 1 on.
static DoubleDouble bernoulliNumber(int k) { return bernoulliNumbers[k - 1]; }

/// Asymptotic series are used from here on: their terms of B30 are below 2^-110.
static constexpr double asymptotic = 30;

//===----------------------------------------------------------------------===//
// lgamma
//===----------------------------------------------------------------------===//

/// (-1)^k (zeta(k) - 1) / k for k from 2 on.
static constexpr DoubleDouble lgammaNear2[] = {
    {0x1.4a34cc4a60fa6p-2, 0x1.1873d8912200cp-56},
    {-0x1.13e001a557607p-4, 0x1.fb68be2f8821fp-58},
    {0x1.51322ac7d8483p-6, 0x1.afc89088cb729p-60},
    {-0x1.e404fc218f5f2p-8, 0x1.e4a627cf1eb34p-62},
    {0x1.7add6eadb6c30p-9, -0x1.5b7828c7fd7f4p-64},
    {-0x1.38ac5c2bf8e08p-10, 0x1.8a4c1cfd9cec8p-65},
    {0x1.0b36af86396e9p-11, -0x1.0698d6c892967p-65},
    {-0x1.d3fd4c76d2fc8p-13, 0x1.c7c55cfccbb83p-68},
    {0x1.a127b0f17d65ap-14, 0x1.9d309aa700268p-69},
    {-0x1.78de5bd7c81efp-15, 0x1.a20541cde47a6p-72},
    {0x1.580dcee66eb02p-16, 0x1.260574b258f72p-71},
    {-0x1.3cbc963ce2243p-17, 0x1.ea56e6c7d5329p-71},
    {0x1.2597a39f34aacp-18, -0x1.bf911462a7d81p-72},
    {-0x1.11b2eb7679541p-19, -0x1.c76b0e65ac63ap-75},
    {0x1.0064cdeb22f0fp-20, 0x1.d0156affdbc11p-75},
    {-0x1.e2600d93cfd2fp-22, 0x1.130ac39e5c106p-76},
    {0x1.c76bbb3f07a4dp-23, 0x1.d9a2b77769b52p-77},
    {-0x1.af5a6cbbf8a97p-24, -0x1.95f227e96d83ep-78},
    {0x1.99b93c2070b0fp-25, 0x1.0327164736428p-79},
    {-0x1.862c734df3eacp-26, -0x1.b32802bec0da0p-80},
    {0x1.7469daccfadcdp-27, -0x1.369d388cebaa9p-81},
    {-0x1.6434a8447aeadp-28, -0x1.af72edf876fcdp-87},
    {0x1.555a877ffd2c3p-29, -0x1.875065f26a43bp-83},
    {-0x1.47b1679258d0ep-30, -0x1.04f36e0e854e4p-84},
    {0x1.3b15d2b2fc10cp-31, -0x1.d79f6feeeb28bp-86},
    {-0x1.2f69a9fabe3e0p-32, 0x1.a162ab374c789p-86},
    {0x1.24932a337434cp-33, 0x1.060829c24508fp-87},
    {-0x1.1a7c26ec2523cp-34, -0x1.4f4ebdb4a04b5p-88},
    {0x1.11116e693ed98p-35, -0x1.c7034d49e7fc7p-89},
    {-0x1.08424cbc543d8p-36, -0x1.40ef820dbc9eap-91},
    {0x1.000026e3f644fp-37, 0x1.3546a6054c889p-91},
    {-0x1.f07c514fc9f0ap-39, -0x1.75b6be545ac09p-96},
    {0x1.e1e2026aafcd8p-40, -0x1.62a8586538620p-94},
    {-0x1.d41d56e5ee2e2p-41, 0x1.43894d27ced5ep-96},
    {0x1.c71c7f6f10e37p-42, -0x1.01074764d33f2p-96},
    {-0x1.bacf9a27bc89bp-43, 0x1.4a5a215e0508ep-98},
    {0x1.af28718a10d6ep-44, 0x1.40d7f1b842cb8p-99},
    {-0x1.a41a45603e5b6p-45, 0x1.62be9cf212d90p-99},
    {0x1.99999c0716ee9p-46, -0x1.39e10f90435bbp-100},
    {-0x1.8f9c1a8df9d78p-47, 0x1.9da56d4471920p-103},
    {0x1.8618628d28905p-48, -0x1.9d7d4ee5a8873p-103},
    {-0x1.7d05f4c31c560p-49, -0x1.71bba0b7cc338p-103},
    {0x1.745d17b56ba4ap-50, 0x1.9d38bc00d70a3p-104},
    {-0x1.6c16c1b4d6456p-51, -0x1.aed172e5c90f6p-105},
    {0x1.642c85c023d9dp-52, -0x1.de052190d7af6p-106},
    {-0x1.5c9882d825e9dp-53, 0x1.9723f1bf240bfp-107},
    {0x1.555555698a866p-54, 0x1.cf5c8649750a4p-109},
    {-0x1.4e5e0a8022bc9p-55, 0x1.28b9dc88f5b02p-110},
    {0x1.47ae14838081fp-56, -0x1.df46130642634p-110},
    {-0x1.41414146e3e31p-57, -0x1.e4773ea130b4ap-112},
    {0x1.3b13b13ec2f3ap-58, 0x1.41c5b07ad14b9p-115},
    {-0x1.3521cfb520859p-59, -0x1.225b10aa3cbb1p-113},
};

/// log(gamma(2 + e)), accurate near its zero 0. REQUIRES: |e| <= 0.5.
static DoubleDouble lgammaAt2And(DoubleDouble e) {
  constexpr DoubleDouble first = {0x1.b0ee6072093cep-2,
                                  0x1.6cb90701fbfabp-58}; // 1 - Euler's
  DoubleDouble sum = 0;
  for (size_t i = std::size(lgammaNear2); i-- > 0;)
    sum = (sum + lgammaNear2[i]) * e;
  return (sum + first) * e;
}

/// REQUIRES: 0.5 <= x < 2^800.
static DoubleDouble lgammaOfPositive(DoubleDouble x) {
  if (x.high < 1.5) {
    DoubleDouble e = x - 1.0;
    return lgammaAt2And(e) - dd::log1p(e);
  }
  if (x.high < asymptotic) {
    DoubleDouble product = 1;
    while (x.high > 2.5) {
      x = x - 1.0;
      product = product * x;
    }
    return dd::log(product) + lgammaAt2And(x - 2.0);
  }
  constexpr DoubleDouble halfLog2Pi = {0x1.d67f1c864beb5p-1,
                                       -0x1.65b5a1b7ff5dfp-55};
  DoubleDouble sum = (x - 0.5) * dd::log(x) - x + halfLog2Pi;
  if (x.high > 0x1p100)
    return sum;
  DoubleDouble power = x, square = x * x;
  for (int k = 1; k <= terms && power.high < 0x1p300; ++k) {
    sum = sum + bernoulliNumber(k) / (power * double(2 * k * (2 * k - 1)));
    power = power * square;
  }
  return sum;
}

static double lgammaOf(double x) {
  if (x != x)
    return notANumber;
  if (std::isinf(x) || (x <= 0 && x == std::floor(x)))
    return infinite;
  if (x > 0x1p800) { // the other terms are too small
    double quotient = x * 0x1p-200;
    DoubleDouble sum = (dd::log(x) - 1.0) * quotient;
    return (sum.high + sum.low) * 0x1p200;
  }
  DoubleDouble result;
  if (x >= 0.5) {
    result = lgammaOfPositive(x);
  } else if (x >= -0.5) {
    // gamma(x) = gamma(x + 2) / (x (x + 1))
    result = lgammaAt2And(x) - dd::log1p(x) - dd::log(std::fabs(x));
  } else {
    // gamma(x) gamma(1 - x) = pi / sin(pi x)
    DoubleDouble sine = sinPi(std::fabs(x - std::nearbyint(x)));
    result = dd::log(pi) - dd::log(sine) - lgammaOfPositive(exactSum(1, -x));
  }
  return result.high + result.low;
}

//===----------------------------------------------------------------------===//
// digamma
//===----------------------------------------------------------------------===//

/// REQUIRES: x >= -0.5 and not 0.
static DoubleDouble digammaOfPositive(DoubleDouble x) {
  DoubleDouble sum = 0;
  while (x.high < asymptotic) {
    sum = sum - DoubleDouble(1) / x;
    x = x + 1.0;
  }
  if (x.high > 0x1p400)
    return dd::log(x);
  sum = sum + dd::log(x) - DoubleDouble(0.5) / x;
  if (x.high > 0x1p60)
    return sum;
  DoubleDouble square = x * x, power = square;
  for (int k = 1; k <= terms && power.high < 0x1p300; ++k) {
    sum = sum - bernoulliNumber(k) / (power * double(2 * k));
    power = power * square;
  }
  return sum;
}

static double digammaOf(double x) {
  if (x == infinite)
    return infinite;
  if (x != x || (x <= 0 && x == std::floor(x)))
    return notANumber;
  if (std::fabs(x) < 0x1p-400)
    return -1 / x;
  DoubleDouble result;
  if (x >= -0.5) {
    result = digammaOfPositive(x);
  } else {
    // digamma(1 - x) - digamma(x) = pi cot(pi x)
    double part = x - std::nearbyint(x);
    DoubleDouble sine = sinPi(part);
    DoubleDouble cosine = sinPi(exactSum(0.5, -std::fabs(part)));
    result = digammaOfPositive(exactSum(1, -x)) - pi * cosine / sine;
  }
  return result.high + result.low;
}

//===----------------------------------------------------------------------===//
// bessel_i1e
//===----------------------------------------------------------------------===//

static constexpr double negligible = 0x1p-110;

/// REQUIRES: 0 < x < 40. All terms are positive.
static DoubleDouble besselSeries(double x) {
  DoubleDouble quarter = scaled(exactProduct(x, x), -2), term = 1, sum = 1;
  for (double k = 1; term.high > negligible * sum.high; ++k) {
    term = term * quarter / (k * (k + 1));
    sum = sum + term;
  }
  Scaled result = dd::exp(-x) * Scaled{sum * (x / 2)};
  return scaled(result.number, int(result.exponent));
}

/// REQUIRES: x >= 40: the terms become smaller until they are negligible.
static DoubleDouble besselAsymptotic(double x) {
  bool isLarge = x > 0x1p500;
  DoubleDouble term = 1, sum = 1;
  for (double k = 1; !isLarge && std::fabs(term.high) > negligible; ++k) {
    double odd = 2 * k - 1;
    term = term * (odd * odd - 4) / (exactProduct(8 * k, x));
    sum = sum + term;
  }
  constexpr DoubleDouble rootOf2Pi = {0x1.40d931ff62706p+1,
                                      -0x1.a6a0d6f814637p-53};
  DoubleDouble root = dd::sqrt(isLarge ? x * 0x1p-400 : x);
  return scaled(sum / (rootOf2Pi * root), isLarge ? -200 : 0);
}

static double besselI1eOf(double x) {
  double size = std::fabs(x);
  if (x != x || x == 0)
    return x != x ? notANumber : x;
  if (size == infinite)
    return std::copysign(0, x);
  if (size < 0x1p-120) // exp(-x) is 1
    return x / 2;
  DoubleDouble y = size < 40 ? besselSeries(size) : besselAsymptotic(size);
  return std::copysign(y.high + y.low, x);
}

//===----------------------------------------------------------------------===//
// erf_inv
//===----------------------------------------------------------------------===//

/// The error function of y, whose series has positive terms. REQUIRES: 0 < y <= 2.
static DoubleDouble erfOf(double y) {
  DoubleDouble square = exactProduct(y, y), term = y, sum = y;
  for (double odd = 3; term.high > negligible * sum.high; odd += 2) {
    term = term * scaled(square, 1) / odd;
    sum = sum + term;
  }
  constexpr DoubleDouble twoByRootPi = {0x1.20dd750429b6dp+0,
                                        0x1.1ae3a914fed80p-56};
  Scaled slope = dd::exp(-square);
  return sum * twoByRootPi * scaled(slope.number, int(slope.exponent));
}

/// 1 less the error function: Laplace's continued fraction. REQUIRES: 2 < y < 6.
static DoubleDouble erfcOf(double y) {
  constexpr DoubleDouble rootPi = {0x1.c5bf891b4ef6bp+0,
                                   -0x1.618f13eb7ca89p-54};
  DoubleDouble fraction = y;
  for (int k = 80; k > 0; --k)
    fraction = y + DoubleDouble(k / 2.0) / fraction;
  Scaled slope = dd::exp(-exactProduct(y, y));
  return scaled(slope.number, int(slope.exponent)) / (rootPi * fraction);
}

/// x less the error function of y.
static double erfRest(double x, double y) {
  return y > 2 ? (erfcOf(y) - (1 - x)).high : (x - erfOf(y)).high;
}

/// Winitzki's approximation, and four steps of Halley's method in double. REQUIRES: 0 < x < 1.
static double erfInvEstimate(double x) {
  constexpr double a = 0.147, halfRootPi = 0.88622692545275801365;
  double rest = (1 - x) * (1 + x), log = rest;
  wide::log(&log, 1);
  double half = 2 / (pi.high * a) + log / 2;
  double y = std::sqrt(std::sqrt(half * half - log / a) - half);
  for (int step = 0; step < 4; ++step) {
    // Where erf is near 1, its complement is the exact difference.
    double value = y, slope = -y * y;
    wide::exp(&slope, 1);
    (x > 0.5 ? wide::erfc : wide::erf)(&value, 1);
    double error = x > 0.5 ? value - (1 - x) : x - value;
    double change = error * halfRootPi / slope;
    y += change / (1 - y * change);
  }
  return y;
}

static double erfInvOf(double x) {
  double size = std::fabs(x);
  if (x == 0) // of either sign
    return x;
  if (!(size < 1))
    return size == 1 ? std::copysign(infinite, x) : notANumber;
  constexpr DoubleDouble halfRootPi = {0x1.c5bf891b4ef6bp-1,
                                       -0x1.618f13eb7ca89p-55};
  if (size < 0x1p-60) { // a line
    DoubleDouble y = halfRootPi * (x * 0x1p100);
    return (y.high + y.low) * 0x1p-100;
  }
  double y = erfInvEstimate(size);
  double slope = y * y;
  wide::exp(&slope, 1);
  return std::copysign(y + erfRest(size, y) * halfRootPi.high * slope, x);
}

//===----------------------------------------------------------------------===//
// zeta and polygamma
//===----------------------------------------------------------------------===//

/// a to the power of -x. REQUIRES: 0 <= x < 2^900.
static Scaled inversePower(DoubleDouble a, double x) {
  return dd::exp(-(dd::log(a) * x));
}

/// The sum of ((q + k) / q) to the power of -x, q being a number of usual size:
/// terms up to one that is negligible or so large that Euler and Maclaurin's
/// series gives the rest.
static DoubleDouble zetaSeries(double x, double q) {
  DoubleDouble sum = 0, a = q, less1 = exactSum(x, -1);
  for (int k = 0; true; ++k) {
    Scaled power = inversePower(a / q, x);
    DoubleDouble term = power.exponent < -800
                            ? DoubleDouble()
                            : scaled(power.number, int(power.exponent));
    DoubleDouble rest = a / less1;
    if (term.high * (1 + rest.high) < negligible * sum.high)
      return sum;
    if (a.high < x + 15) {
      sum = sum + term;
      a = exactSum(q, k + 1);
      continue;
    }
    rest = rest + 0.5;
    DoubleDouble part = DoubleDouble(x) / (a * 2.0);
    for (int i = 1; i <= terms; ++i) {
      rest = rest + bernoulliNumber(i) * part;
      part = part * exactSum(x, 2 * i - 1) * exactSum(x, 2 * i) /
             (a * a * double((2 * i + 1) * (2 * i + 2)));
    }
    return sum + term * rest;
  }
}

/// REQUIRES: 1 < x <= 2^800, 0 < q < infinity.
static Scaled zetaOf(double x, double q) {
  if (q > 0x1p400) // of the series only q / (x - 1) is left
    return inversePower(q, x - 1) * Scaled{DoubleDouble(1) / exactSum(x, -1)};
  if (q < 0x1p-120) // only the first term
    return inversePower(q, x);
  return inversePower(q, x) * Scaled{zetaSeries(x, q)};
}

static double zetaValue(double x, double q) {
  if (!(x >= 1) || q != q)
    return notANumber;
  if (x == 1)
    return infinite;
  if (q == infinite)
    return 0;
  if (x > 0x1p800)
    return q > 1 ? 0 : q == 1 ? 1 : infinite;
  return zetaOf(x, q).rounded();
}

/// (-1)^(n + 1) n! zeta(n + 1, x)
static double polygammaValue(double n, double x) {
  if (n == 0)
    return digammaOf(x);
  if (!(n >= 0) || n != std::floor(n) || n == infinite || x != x)
    return notANumber;
  double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  if (x == infinite)
    return sign * 0.0;
  if (n > 0x1p500) // Stirling: n! is (n / e)^n
    return sign * (std::log(x) > std::log(n) - 1 ? 0 : infinite);
  Scaled factorial = dd::exp(lgammaOfPositive(exactSum(n, 1)));
  return sign * (factorial * zetaOf(n + 1, x)).rounded();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

template <double f(double)> static void onEach(double *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] = f(values[i]);
}

template <double f(double, double)>
static void onPairs(double *x, const double *y, size_t count) {
  for (size_t i = 0; i < count; ++i)
    x[i] = f(x[i], y[i]);
}

void wide::lgamma(double *values, size_t count) {
  onEach<lgammaOf>(values, count);
}
void wide::digamma(double *values, size_t count) {
  onEach<digammaOf>(values, count);
}
void wide::besselI1e(double *values, size_t count) {
  onEach<besselI1eOf>(values, count);
}
void wide::erfInv(double *values, size_t count) {
  onEach<erfInvOf>(values, count);
}
void wide::zeta(double *x, const double *q, size_t count) {
  onPairs<zetaValue>(x, q, count);
}
void wide::polygamma(double *n, const double *x, size_t count) {
  onPairs<polygammaValue>(n, x, count);
}
