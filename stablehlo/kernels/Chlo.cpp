//===- Chlo.cpp - Constant kernels of CHLO --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that StableHLO lacks, computed in double and rounded once. JAX
// writes them where XLA has an expansion for them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/SpecialFunctions.h"
#include "onnxfold/stablehlo/support/ComplexFunctions.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;
namespace wide = ops::wide;
namespace complex = ops::complex;

/// The upper half of the bits of x * y.
static FoldResult foldMulHigh(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (!isInteger(x.type()) || x.type() == DataType::Bool)
    return Elements();
  return zipNumbers(x, y, [bits = bitWidth(x.type())](auto a, auto b) {
    using T = decltype(a);
    using Wide =
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return T(Wide(a) * Wide(b) >> bits);
  });
}

/// Where XLA takes a part that is -0 for 0. Beyond -1 and 1 of the real line:
static bool isBelowArcs(Complex z) {
  return std::fabs(z.real()) > 1 && z.imag() == 0 && std::signbit(z.imag());
}
/// Up to 1 of the real line.
static bool isBelowArea(Complex z) {
  return z.real() < 1 && z.imag() == 0 && std::signbit(z.imag());
}
/// Beyond -i and i of the imaginary line.
static bool isLeftOfArea(Complex z) {
  return std::fabs(z.imag()) > 1 && z.real() == 0 && std::signbit(z.real());
}

/// Of a series in numbers of 106 bits, and of one of up to 80 powers, for an
/// element.
static constexpr double unitsOfSeries = 500 * unitsOfFunction,
                        unitsOfPowers = 10'000 * unitsOfFunction;

/// The difference of two squares as a product, which is a number where the squares
/// of finite parts are infinite.
static Complex squareOf(Complex z) {
  double a = z.real(), b = z.imag();
  // Of equal parts the sum may be infinite.
  bool isZero = std::fabs(a) == std::fabs(b) && std::isfinite(a);
  return {isZero ? 0 : (a - b) * (a + b), 2 * (a * b)};
}

/// x * x.
static FoldResult foldSquare(FoldContext &cx) {
  if (isComplex(cx.input(0).type()))
    return mapComplex(cx.input(0), squareOf);
  return mapNumbers(cx.input(0), [](auto a) { return ops::multiply(a, a); });
}

/// The number after a in the direction of b, of 16 bits each; `infinity`: the
/// bits of the type's infinity.
static uint16_t nextAfter(uint16_t a, uint16_t b, uint16_t infinity) {
  constexpr uint16_t sign = 0x8000, rest = 0x7fff;
  uint16_t aSize = a & rest, bSize = b & rest;
  if (aSize > infinity || bSize > infinity) // NaN, with its highest bit
    return infinity | (infinity & -infinity) >> 1;
  if (a == b || (aSize | bSize) == 0)
    return b;
  if (aSize == 0)
    return (b & sign) | 1;
  bool grows = (a & sign) == (b & sign) && bSize > aSize;
  return grows ? a + 1 : a - 1;
}

static FoldResult foldNextAfter(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  DataType type = x.type();
  if (type == DataType::Float32)
    return ops::zipAs<float, float, float>(
        x, y, [](float a, float b) { return std::nextafter(a, b); });
  if (type == DataType::Float64)
    return ops::zipAs<double, double, double>(
        x, y, [](double a, double b) { return std::nextafter(a, b); });
  if (type != DataType::Float16 && type != DataType::BFloat16)
    return Elements();
  uint16_t infinity = type == DataType::Float16 ? 0x7c00 : 0x7f80;
  return upstream::sameBits(
      ops::zipAs<uint16_t, uint16_t, uint16_t>(
          upstream::sameBits(x, DataType::UInt16),
          upstream::sameBits(y, DataType::UInt16),
          [=](uint16_t a, uint16_t b) { return nextAfter(a, b, infinity); }),
      type);
}

/// Where `isOpen` says true of a pair, a reason; else f of all pairs.
static FoldResult foldSeries(FoldContext &cx, bool isOpen(double, double),
                             ops::WideFunction2 f) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (!isFloat(x.type()))
    return Elements();
  Elements open = ops::zipTo<bool>(
      x, y, [=](auto a, auto b) { return isOpen(double(a), double(b)); });
  if (!open)
    return Elements();
  if (ops::firstWhere<bool>(open, [](bool is) { return is; }))
    return undefined("the series is left open from 0 down");
  return zipWide(x, y, f);
}

/// The sum of (q + k) to the power of -x. XLA's has but ten terms where q + k is
/// negative, and CHLO does not say which value a power of 0 has.
static FoldResult foldZeta(FoldContext &cx) {
  return foldSeries(
      cx, [](double, double q) { return q <= 0; }, wide::zeta);
}

/// Derivative n of digamma.
static FoldResult foldPolygamma(FoldContext &cx) {
  return foldSeries(
      cx, [](double n, double x) { return n != 0 && x <= 0; }, wide::polygamma);
}

/// The k largest along the last dimension, of equal ones the first before the
/// others, and where they are. Which NaN or zero is larger is left open.
static FoldResult foldTopK(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (cx.operation()->getNumResults() != 2)
    return invalid("it has not two results");
  int64_t k = cx.integer("k").value_or(-1), rank = x.rank();
  if (rank == 0 || k < 0 || k > x.dim(rank - 1))
    return invalid("'k' is " + llvm::Twine(k) + " for shape " +
                   toString(x.shape()));
  if (isFloat(x.type())) {
    Elements isOpen = ops::mapTo<bool>(x, [](auto a) {
      return a != a || (a == 0 && std::signbit(double(a)));
    });
    if (!isOpen || ops::firstWhere<bool>(isOpen, [](bool is) { return is; }))
      return undefined("the order of NaN and -0 is left open");
  }
  ops::TopK best = ops::topK(x, k, rank - 1, /*largest=*/true);
  return llvm::SmallVector<Elements, 1>{
      best.values, ops::cast(best.indices, cx.resultType(1))};
}

template <int sign> static FoldResult foldIsInfinite(FoldContext &cx) {
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return ops::mapTo<bool>(computable(cx.input(0)), [](auto a) {
    double x = double(a);
    return std::isinf(x) && (sign == 0 || (x > 0) == (sign > 0));
  });
}

/// x, but for complex numbers.
static FoldResult foldConjugate(FoldContext &cx) {
  const Elements &x = cx.input(0);
  return isComplex(x.type())
             ? mapComplex(x, [](Complex a) { return std::conj(a); })
             : x;
}

/// A constant, in the dialect's own form.
static FoldResult foldConstant(FoldContext &cx) {
  Elements value = cx.tensor("value");
  if (!value || value.type() != cx.resultType())
    return invalid("'value' is not a tensor of the type of its result");
  return value;
}

/// One number for each element of the operand.
static FoldResult foldConstantLike(FoldContext &cx) {
  Elements value = cx.tensor("value");
  if (!value || value.size() != 1 || value.type() != cx.resultType())
    return invalid("'value' is not one number of the type of its result");
  return value.reshape({}).expand(cx.input(0).shape());
}

namespace onnxfold::hlo {
void registerChlo(KernelRegistry &registry) {
  auto add = [&](llvm::StringRef name, FoldFunction function) {
    registry.add(name, {1}, function).mapsElements().costs(unitsOfFunction);
  };
  add("acos", alike<foldFunction<wide::acos, complex::acos, isBelowArcs>, 1>);
  add("acosh",
      alike<foldFunction<wide::acosh, complex::acosh, isBelowArea>, 1>);
  add("asin", alike<foldFunction<wide::asin, complex::asin, isBelowArcs>, 1>);
  add("asinh",
      alike<foldFunction<wide::asinh, complex::asinh, isLeftOfArea>, 1>);
  add("atan", alike<foldFunction<wide::atan, complex::atan>, 1>);
  add("atanh", alike<foldFunction<wide::atanh, complex::atanh>, 1>);
  add("cosh", alike<foldFunction<wide::cosh, complex::cosh>, 1>);
  add("sinh", alike<foldFunction<wide::sinh, complex::sinh>, 1>);
  add("tan", alike<foldFunction<wide::tan, complex::tan>, 1>);
  // The error function, and 1 less it.
  add("erf", alike<foldWide<wide::erf>, 1>);
  add("erfc", alike<foldWide<wide::erfc>, 1>);
  add("square", alike<foldSquare, 1>);
  registry.add("mulhi", {1}, alike<foldMulHigh>).mapsElements();
  add("conj", alike<foldConjugate, 1>);
  add("constant_like", counted<foldConstantLike, 1>);
  add("next_after", alike<foldNextAfter>);
  auto addSeries = [&](llvm::StringRef name, FoldFunction function,
                       double units = unitsOfSeries) {
    registry.add(name, {1}, function).mapsElements().costs(units);
  };
  // The inverse of the error function.
  addSeries("erf_inv", alike<foldWide<wide::erfInv>, 1>);
  addSeries("lgamma", alike<foldWide<wide::lgamma>, 1>);
  addSeries("digamma", alike<foldWide<wide::digamma>, 1>);
  addSeries("bessel_i1e", alike<foldWide<wide::besselI1e>, 1>);
  addSeries("zeta", alike<foldZeta>, unitsOfPowers);
  addSeries("polygamma", alike<foldPolygamma>, unitsOfPowers);
  registry.add("constant", {1}, counted<foldConstant, 0>);
  registry.add("top_k", {1}, counted<foldTopK, 1>);
  // Infinite, with either sign or with one.
  add("is_inf", alike<foldIsInfinite<0>, 1>);
  add("is_pos_inf", alike<foldIsInfinite<1>, 1>);
  add("is_neg_inf", alike<foldIsInfinite<-1>, 1>);
}
} // namespace onnxfold::hlo
