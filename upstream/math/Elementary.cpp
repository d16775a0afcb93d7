//===- Elementary.cpp - Constant kernels of powers and logarithms in math ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// A float to the power of an integer. An exponent that a double does not hold
/// is kept: its lowest bit decides the sign.
static FoldResult foldMathFPowI(FoldContext &cx) {
  Elements exponent = widened<int64_t>(cx.input(1));
  if (!exponent)
    return Elements();
  constexpr int64_t limit = int64_t(1) << 53;
  auto isLarge = [](int64_t v) { return v < -limit || v > limit; };
  if (auto where = ops::firstWhere<int64_t>(exponent, isLarge))
    return notFolded(ReasonCode::UnsupportedType,
                     "exponent " +
                         toString(ops::indexOf(*where, exponent.shape())) +
                         " is larger than 2^53");
  const Elements &x = cx.input(0);
  return finished(cx, ops::zipWide(computable(x), exponent, ops::wide::pow));
}

/// Modulo 2^width. Of a negative exponent what is whole is left: 0, or 1 and -1
/// of these; of 0 it is undefined.
static int64_t powerOf(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  uint64_t power = base, result = 1;
  for (uint64_t left = exponent; left != 0; left >>= 1) {
    if (left & 1)
      result *= power;
    power *= power;
  }
  return result;
}

static FoldResult foldMathIPowI(FoldContext &cx) {
  auto isBad = [](int64_t a, int64_t b) { return a == 0 && b < 0; };
  return zipBitsUnless<int64_t>(cx, powerOf, isBad, "divides by 0");
}

/// The sum of p and c, rounded to odd: a second rounding, to a type of half as
/// many bits or less, then gives what one rounding would.
static double sumToOdd(double p, double c) {
  double sum = p + c;
  double rest = sum - p;
  double error = (p - (sum - rest)) + (c - rest);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || !std::isfinite(sum) || (bits & 1) != 0)
    return sum;
  // Away from zero if the exact sum is.
  bool isLarger = (error > 0) == (sum > 0);
  return std::bit_cast<double>(isLarger ? bits + 1 : bits - 1);
}

/// The product of two floats is exact in double.
static Elements fused(const Elements &a, const Elements &b, const Elements &c) {
  if (!isFloat(a.type()))
    return {};
  auto inDouble = [](const Elements &x) {
    return ops::cast(x, DataType::Float64);
  };
  if (a.type() == DataType::Float64) {
    auto f = [](double u, double v, double w) { return std::fma(u, v, w); };
    return Elements::apply(
        ops::detail::makeStep<double, double, double, double>(f), a.shape(),
        {a, b, c});
  }
  Elements product = ops::zipAs<double, double, double>(
      inDouble(a), inDouble(b), [](double u, double v) { return u * v; });
  Elements sum =
      ops::zipAs<double, double, double>(product, inDouble(c), sumToOdd);
  return isSmallFloat(a.type()) ? sum : ops::cast(sum, a.type());
}

/// a * b + c, rounded once.
static FoldResult foldMathFma(FoldContext &cx) {
  return finished(cx, fused(cx.input(0), cx.input(1), cx.input(2)));
}

namespace onnxfold::upstream {
void registerMathElementary(KernelRegistry &registry) {
  // The exponential function.
  registry.add("exp", {1}, mapDoubles<ops::wide::exp>);
  // The power of two.
  registry.add("exp2", {1}, mapDoubles<ops::wide::exp2>);
  // The exponential function less 1.
  registry.add("expm1", {1}, mapDoubles<ops::wide::expm1>);
  // The natural logarithm.
  registry.add("log", {1}, mapDoubles<ops::wide::log>);
  // The decimal logarithm.
  registry.add("log10", {1}, mapDoubles<ops::wide::log10>);
  // The natural logarithm of 1 + x.
  registry.add("log1p", {1}, mapDoubles<ops::wide::log1p>);
  // The binary logarithm.
  registry.add("log2", {1}, mapDoubles<ops::wide::log2>);
  // The square root, correctly rounded.
  registry.add("sqrt", {1},
               mapFloats<[](auto a) { return decltype(a)(std::sqrt(a)); }>);
  // 1 / sqrt(x).
  registry.add("rsqrt", {1}, mapDoubles<[](double *values, size_t count) {
                 for (size_t i = 0; i < count; ++i)
                   values[i] = 1 / std::sqrt(values[i]);
               }>);
  // The cube root.
  registry.add("cbrt", {1}, mapDoubles<ops::wide::cbrt>);
  // The error function.
  registry.add("erf", {1}, mapDoubles<ops::wide::erf>);
  // The complementary error function, 1 - erf(x).
  registry.add("erfc", {1}, mapDoubles<ops::wide::erfc>);
  // A float to the power of a float.
  registry.add("powf", {1}, zipDoubles<ops::wide::pow>);
  registry.add("fpowi", {1}, foldMathFPowI);
  registry.add("ipowi", {1}, foldMathIPowI);
  registry.add("fma", {1}, foldMathFma);
}
} // namespace onnxfold::upstream
