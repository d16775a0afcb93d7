//===- Arithmetic.cpp - Constant kernels of arithmetic --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers wrap. What StableHLO leaves to the implementation (a division by 0)
// is kept. Complex numbers: kernels/Complex.cpp.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/stablehlo/support/ComplexFunctions.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// x + y; of bools "or".
static FoldResult foldAdd(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (x.type() == DataType::Bool)
    return zipBools(x, y, [](bool a, bool b) { return a || b; });
  if (isComplex(x.type()))
    return zipComplex(x, y, [](auto a, auto b) { return a + b; });
  return zipNumbers(x, y, [](auto a, auto b) { return ops::add(a, b); });
}

/// x - y.
static FoldResult foldSubtract(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (isComplex(x.type()))
    return zipComplex(x, y, [](auto a, auto b) { return a - b; });
  return zipNumbers(x, y, [](auto a, auto b) { return ops::subtract(a, b); });
}

/// x * y; of bools "and".
static FoldResult foldMultiply(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (x.type() == DataType::Bool)
    return zipBools(x, y, [](bool a, bool b) { return a && b; });
  if (isComplex(x.type()))
    return zipComplex(x, y, product);
  return zipNumbers(x, y, [](auto a, auto b) { return ops::multiply(a, b); });
}

/// A reason if a quotient of integers is left to the implementation.
static Reason checkDivision(const Elements &x, const Elements &y) {
  if (!isInteger(x.type()))
    return {};
  auto [a, b] = ops::broadcast(computable(x), computable(y));
  Elements bad = ops::zipTo<bool>(a, b, [](auto u, auto v) {
    if constexpr (std::is_integral_v<decltype(u)>)
      return ops::divisionUndefined(u, v);
    else
      return false;
  });
  // The quotient of the smallest Int4 and -1 fits a byte.
  if (auto where = ops::firstWhere<bool>(bad, [](bool is) { return is; }))
    return undefined("element " + toString(ops::indexOf(*where, bad.shape())) +
                     " divides by 0, or overflows");
  return {};
}

/// x / y; of integers truncated.
static FoldResult foldDivide(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (isComplex(x.type()))
    return zipComplex(x, y, [](auto a, auto b) { return a / b; });
  if (Reason open = checkDivision(x, y))
    return open;
  return zipNumbers(x, y, [](auto a, auto b) { return decltype(a)(a / b); });
}

/// x - y * trunc(x / y), which has the sign of x.
static FoldResult foldRemainder(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (Reason open = checkDivision(x, y))
    return open;
  return zipNumbers(x, y, [](auto a, auto b) {
    using T = decltype(a);
    if constexpr (std::is_floating_point_v<T>)
      return T(std::fmod(a, b));
    else
      return T(a % b);
  });
}

/// The first of two complex numbers by their real parts, then by their imaginary
/// parts, or the last. XLA and StableHLO do not say which of NaN it is.
static FoldResult foldFirst(FoldContext &cx, bool isLast) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  auto isNan = [](Complex a) {
    return std::isnan(a.real()) || std::isnan(a.imag());
  };
  for (const Elements &operand : {x, y})
    if (ops::firstWhere<Complex>(inDouble(operand), isNan))
      return undefined("a complex number is NaN, which has no order");
  return zipComplex(x, y, [=](Complex a, Complex b) {
    bool isBefore =
        a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    return isBefore != isLast ? a : b;
  });
}

/// The larger; of floats NaN if either is, and +0 of zeros of both signs.
static FoldResult foldMaximum(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (x.type() == DataType::Bool)
    return zipBools(x, y, [](bool a, bool b) { return a || b; });
  if (isComplex(x.type()))
    return foldFirst(cx, /*isLast=*/true);
  return zipNumbers(x, y, [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
      if (a == 0 && b == 0)
        return std::signbit(a) ? b : a;
    return ops::maximum(a, b);
  });
}

/// The smaller; of floats NaN if either is, and -0 of zeros of both signs.
static FoldResult foldMinimum(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (x.type() == DataType::Bool)
    return zipBools(x, y, [](bool a, bool b) { return a && b; });
  if (isComplex(x.type()))
    return foldFirst(cx, /*isLast=*/false);
  return zipNumbers(x, y, [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
      if (a == 0 && b == 0)
        return std::signbit(a) ? a : b;
    return ops::minimum(a, b);
  });
}

template <class T> static T powerOf(T base, T exponent) {
  T result = 1;
  for (auto left = std::make_unsigned_t<T>(exponent); left != 0; left >>= 1) {
    if (left & 1)
      result = ops::multiply(result, base);
    base = ops::multiply(base, base);
  }
  return result;
}

/// x to the power of y. Of integers with a negative exponent it is kept, and with
/// one of more than the six bits that XLA reads.
static FoldResult foldPower(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (isComplex(x.type()))
    return foldOfComplexes(cx, ops::complex::pow);
  if (!isInteger(x.type()))
    return zipWide(x, y, ops::wide::pow);
  Elements open =
      ops::mapTo<bool>(computable(y), [](auto b) { return b < 0 || b > 63; });
  if (auto where = ops::firstWhere<bool>(open, [](bool is) { return is; }))
    return undefined("exponent " + toString(ops::indexOf(*where, y.shape())) +
                     " is not in [0, 63]");
  return zipNumbers(x, y, [](auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return powerOf(a, b);
    else
      return a;
  });
}

/// min(max(x, lower), upper); bounds may be scalars.
static FoldResult foldClamp(FoldContext &cx) {
  const Elements &lower = cx.input(0), &x = cx.input(1), &upper = cx.input(2);
  Elements atLeast =
      zipNumbers(x, lower, [](auto a, auto b) { return ops::maximum(a, b); });
  if (!atLeast)
    return atLeast;
  return zipNumbers(atLeast, upper,
                    [](auto a, auto b) { return ops::minimum(a, b); });
}

/// pred ? x : y; pred may be a scalar.
static FoldResult foldSelect(FoldContext &cx) {
  if (Reason wrong = checkAlike(cx, 1, 2))
    return wrong;
  if (cx.input(0).type() != DataType::Bool)
    return invalid("operand #0 is of " + name(cx.input(0).type()) +
                   ", expected bool");
  return ops::select(cx.input(0), cx.input(1), cx.input(2));
}

/// -x.
static FoldResult foldNegate(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (isComplex(x.type()))
    return mapComplex(x, [](auto a) { return -a; });
  return mapNumbers(x, [](auto a) { return ops::negate(a); });
}

/// |x|, a real number where x is complex.
static FoldResult foldAbs(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (isComplex(x.type()))
    return partOf(x, [](auto a) { return std::hypot(a.real(), a.imag()); });
  return mapNumbers(x, [](auto a) { return ops::absolute(a); });
}

/// -1, 0 or 1; of floats a zero or a NaN is itself. A complex number with its
/// size 1.
static FoldResult foldSign(FoldContext &cx) {
  if (isComplex(cx.input(0).type()))
    return foldOfComplex(cx, ops::complex::sign);
  return mapNumbers(cx.input(0), [](auto a) {
    using T = decltype(a);
    if constexpr (std::is_floating_point_v<T>)
      return a > 0 ? T(1) : a < 0 ? T(-1) : a;
    else
      return T(T(a > 0) - T(a < 0));
  });
}

namespace onnxfold::hlo {
void registerArithmetic(KernelRegistry &registry) {
  registry.add("add", {1}, alike<foldAdd>).mapsElements();
  registry.add("subtract", {1}, alike<foldSubtract>).mapsElements();
  registry.add("multiply", {1}, alike<foldMultiply>).mapsElements();
  registry.add("divide", {1}, alike<foldDivide>).mapsElements();
  registry.add("remainder", {1}, alike<foldRemainder>).mapsElements();
  registry.add("maximum", {1}, alike<foldMaximum>).mapsElements();
  registry.add("minimum", {1}, alike<foldMinimum>).mapsElements();
  registry.add("power", {1}, alike<foldPower>)
      .mapsElements()
      .costs(unitsOfComposite);
  registry.add("clamp", {1}, alike<foldClamp, 3>).mapsElements();
  registry.add("select", {1}, foldSelect).mapsElements();
  registry.add("negate", {1}, alike<foldNegate, 1>).mapsElements();
  registry.add("abs", {1}, alike<foldAbs, 1>).mapsElements();
  registry.add("sign", {1}, alike<foldSign, 1>).mapsElements();
}
} // namespace onnxfold::hlo
