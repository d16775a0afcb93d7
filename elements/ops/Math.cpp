//===- Math.cpp - Transcendental functions on blocks of doubles -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/elements/ops/internal/DoubleDouble.h"
#include "onnxfold/elements/ops/internal/MathTables.h"
#include "onnxfold/elements/ops/internal/Polynomial.h"
#include "onnxfold/widenum/CpuLevel.h"
#include <algorithm>
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;
using ops::detail::choose, ops::detail::defaultNan, ops::detail::MathTable,
    ops::detail::polynomial;

static const MathTable &table() {
#ifdef __x86_64__
  switch (cpuLevel()) {
  case CpuLevel::Avx512:
    return ops::detail::mathTableAvx512;
  case CpuLevel::Avx2:
    return ops::detail::mathTableAvx;
  case CpuLevel::Baseline:
    break;
  }
#endif
  return ops::detail::mathTableBaseline;
}

/// The sign and payload of a NaN are all that the vector widths disagree on.
static void unifyNans(double *values, size_t count) {
  atCpuLevel([=] {
    for (size_t i = 0; i < count; ++i)
      values[i] = choose(values[i] != values[i], defaultNan, values[i]);
  });
}

/// Values that are worked on at a time; a block on the stack.
static constexpr size_t mathPiece = 256;

/// repair(x, values, n) for each block of arguments and results of `function`.
template <class Repair>
static void callRepaired(void (*function)(double *, size_t), double *values,
                         size_t count, Repair repair) {
  double x[mathPiece];
  for (size_t first = 0; first < count; first += mathPiece) {
    size_t n = std::min(mathPiece, count - first);
    std::copy_n(values + first, n, x);
    function(values + first, n);
    repair(x, values + first, n);
  }
  unifyNans(values, count);
}

/// log1p(x), asinh(x) and acosh(x) are log(|x|) + offset for huge arguments,
/// where SLEEF's overflow.
static auto logFromHuge(double offset) {
  return [offset](const double *x, double *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      // A result that is NaN says that the argument was outside the domain.
      if (!(std::fabs(x[i]) >= 0x1p500) || values[i] != values[i])
        continue;
      double y = std::fabs(x[i]);
      table().log(&y, 1);
      values[i] = std::copysign(y + offset, x[i]);
    }
  };
}

/// e to the power of |x| times a power of two up to the largest |x| that gives a
/// double: SLEEF's exp is infinite from 709.7827111 on, its sinh and cosh from
/// 709.7827129 on. A result takes 4 us, which is not counted: few arguments are
/// in a range as narrow.
static auto expUpToLimit(double largest, int exponent) {
  return [=](const double *x, double *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
      if (std::isinf(values[i]) && std::fabs(x[i]) <= largest) {
        ops::detail::Scaled power = ops::detail::exp(std::fabs(x[i]));
        power.exponent += exponent;
        values[i] = std::copysign(power.rounded(), values[i]);
      }
  };
}

static constexpr double logOfTwo = 0x1.62e42fefa39efp-1;
/// The largest arguments of exp and of sinh whose results are finite.
static constexpr double logOfMost = 0x1.62e42fefa39efp+9,
                        asinhOfMost = 710.4758600739439;

void wide::log1p(double *values, size_t count) {
  callRepaired(table().log1p, values, count, logFromHuge(0));
}
void wide::asinh(double *values, size_t count) {
  callRepaired(table().asinh, values, count, logFromHuge(logOfTwo));
}
void wide::acosh(double *values, size_t count) {
  callRepaired(table().acosh, values, count, logFromHuge(logOfTwo));
}

void wide::exp(double *values, size_t count) {
  callRepaired(table().exp, values, count, expUpToLimit(logOfMost, 0));
}
void wide::sinh(double *values, size_t count) {
  callRepaired(table().sinh, values, count, expUpToLimit(asinhOfMost, -1));
}
void wide::cosh(double *values, size_t count) {
  callRepaired(table().cosh, values, count, expUpToLimit(asinhOfMost, -1));
}

/// All others as they are.
#define ONNXFOLD_WIDE(name)                                                    \
  void wide::name(double *values, size_t count) {                              \
    table().name(values, count);                                               \
    unifyNans(values, count);                                                  \
  }
ONNXFOLD_WIDE(exp2)
ONNXFOLD_WIDE(expm1)
ONNXFOLD_WIDE(log)
ONNXFOLD_WIDE(log2)
ONNXFOLD_WIDE(log10)
ONNXFOLD_WIDE(cbrt)
ONNXFOLD_WIDE(erfc)
ONNXFOLD_WIDE(sin)
ONNXFOLD_WIDE(cos)
ONNXFOLD_WIDE(tan)
ONNXFOLD_WIDE(asin)
ONNXFOLD_WIDE(acos)
ONNXFOLD_WIDE(atan)
ONNXFOLD_WIDE(atanh)
#undef ONNXFOLD_WIDE

/// |x| to the power of y where SLEEF's is infinite, which begins a little before
/// the largest double. REQUIRES: x is finite and not 0.
static double powerUpToLimit(double x, double y) {
  if (!(y * std::log(std::fabs(x)) < 709.782713)) // past log(DBL_MAX)
    return HUGE_VAL;
  return ops::detail::exp(ops::detail::log(std::fabs(x)) * y).rounded();
}

/// x to the power of 1 is x.
void wide::pow(double *x, const double *y, size_t count) {
  for (size_t first = 0; first < count; first += mathPiece) {
    size_t n = std::min(mathPiece, count - first);
    double before[mathPiece];
    std::copy_n(x + first, n, before);
    table().pow(x + first, y + first, n);
    for (size_t i = 0; i < n; ++i) {
      double &result = x[first + i], exponent = y[first + i];
      if (exponent == 1)
        result = before[i];
      else if (std::isinf(result) && std::isfinite(before[i]) &&
               std::isfinite(exponent) && before[i] != 0)
        result = std::copysign(powerUpToLimit(before[i], exponent), result);
    }
  }
  unifyNans(x, count);
}
void wide::atan2(double *y, const double *x, size_t count) {
  table().atan2(y, x, count);
  unifyNans(y, count);
}

//===----------------------------------------------------------------------===//
// Formulas of our own around exp
//===----------------------------------------------------------------------===//

/// x[i] = finish(x[i], exp(argument(x[i]))), in vectors.
template <class Argument, class Finish>
static void withExp(double *values, size_t count, Argument argument,
                    Finish finish) {
  for (size_t first = 0; first < count; first += mathPiece) {
    double *x = values + first, exps[mathPiece], *e = exps;
    size_t n = std::min(mathPiece, count - first);
    atCpuLevel([=] {
      for (size_t i = 0; i < n; ++i)
        e[i] = argument(x[i]);
    });
    table().exp(e, n);
    atCpuLevel([=] {
      for (size_t i = 0; i < n; ++i)
        x[i] = choose(x[i] != x[i], defaultNan, finish(x[i], e[i]));
    });
  }
}

// Without fused multiply-add SLEEF's erf and tanh, which keep their last bits
// in second numbers, take 4 and 2 times as long. Coefficients: interpolation at
// the zeros of Chebyshev's polynomials, computed with 90 digits; its error is
// below 2^-55 of the function.

void wide::erf(double *values, size_t count) {
  // erf(x) / x - 1 in x^2, for |x| < 1.
  static constexpr double small[] = {
      0x1.06eba8214db69p-3,   -0x1.812746b0379e6p-2,  0x1.ce2f21a042b30p-4,
      -0x1.b82ce31284e00p-6,  0x1.565bcd0dbaa38p-8,   -0x1.c02db3dac435fp-11,
      0x1.f9a321d5b8e1ep-14,  -0x1.f4d1e3183f7aep-17, 0x1.b9df224ca4b97p-20,
      -0x1.5f1ecb6f0764cp-23, 0x1.f7b4bf3b13964p-27,  -0x1.389d4f2641625p-30,
      0x1.05ffd737fb32ep-34};
  // exp(x^2) erfc(x) in 11.9 / (|x| + 2.5) - 2.4, for 1 <= |x| <= 6.
  static constexpr double large[] = {
      0x1.b62a65674be8ep-3,   0x1.438b531a9626cp-3,   0x1.709dfff22d028p-5,
      0x1.332d81affc21fp-7,   0x1.4785cc19459abp-10,  0x1.a7ef9e0e9fdafp-15,
      -0x1.f145b2dc372f4p-17, -0x1.0aeccbd1b6de0p-19, 0x1.f08089201eb76p-23,
      0x1.b980665c581fcp-25,  -0x1.a695a0bbcc524p-28, -0x1.611bd870b1f22p-30,
      0x1.016cb305789f6p-32,  0x1.c9de2890622e7p-36,  -0x1.2a8dcd4035db2p-37};
  withExp(
      values, count, [](double x) { return -(x * x); },
      [](double x, double e) {
        double a = std::fabs(x), bounded = choose(a > 6, 6, a); // erf(6) is 1
        double far = 1 - e * polynomial(large, 11.9 / (bounded + 2.5) - 2.4);
        double near = a + a * polynomial(small, x * x);
        return std::copysign(choose(a < 1, near, far), x);
      });
}

void wide::tanh(double *values, size_t count) {
  // (tanh(x) / x - 1) / x^2 in x^2, for |x| < 1.
  static constexpr double small[] = {
      -0x1.5555555555555p-2,  0x1.11111111110b9p-3,   -0x1.ba1ba1ba1453ep-5,
      0x1.664f4880d2a47p-6,   -0x1.226e3519865dfp-7,  0x1.d6d3c538d0bbep-9,
      -0x1.7da2bdc3daa27p-10, 0x1.3551ae34bdfffp-11,  -0x1.f5211730ee038p-13,
      0x1.94981e5bdbe6fp-14,  -0x1.42090e21d3d28p-15, 0x1.ea19b73b128d8p-17,
      -0x1.4eb911dcd9788p-18, 0x1.7238a0a7e22b6p-20,  -0x1.1ab979c0ab58cp-22,
      0x1.b028f6cb72ebfp-26};
  withExp(
      values, count, [](double x) { return 2 * std::fabs(x); },
      [](double x, double e) {
        double a = std::fabs(x), square = x * x;
        double far = 1 - 2 / (e + 1);
        double near = a + a * (square * polynomial(small, square));
        return std::copysign(choose(a < 1, near, far), x);
      });
}

void wide::sigmoid(double *values, size_t count) {
  withExp(
      values, count, [](double x) { return -std::fabs(x); },
      // exp(x) / (1 + exp(x)) below 0, where exp(-x) may overflow.
      [](double x, double e) { return choose(x < 0, e, 1) / (1 + e); });
}

void wide::softplus(double *values, size_t count) {
  for (size_t first = 0; first < count; first += mathPiece) {
    double *x = values + first, e[mathPiece];
    size_t n = std::min(mathPiece, count - first);
    for (size_t i = 0; i < n; ++i)
      e[i] = -std::fabs(x[i]);
    exp(e, n);
    log1p(e, n);
    // log(1 + exp(x)) = x + log(1 + exp(-x))
    for (size_t i = 0; i < n; ++i)
      x[i] = (x[i] > 0 ? x[i] : 0.0) + e[i];
  }
}
