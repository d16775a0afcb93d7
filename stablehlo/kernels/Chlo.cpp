//===- Chlo.cpp - Constant kernels of CHLO --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that StableHLO lacks, computed in double and rounded once. JAX
// writes them where XLA has an expansion for them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// x * x.
static FoldResult foldSquare(FoldContext &cx) {
  return mapNumbers(cx.input(0), [](auto a) { return ops::multiply(a, a); });
}

/// The inverse of the error function: an approximation (M. Giles, 2010), and two
/// steps of Newton's method in double.
static void inverseErf(double *values, size_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double halfRootPi = 0.88622692545275801365;
  for (size_t i = 0; i < count; ++i) {
    double x = values[i], sign = std::signbit(x) ? -1 : 1;
    if (!(std::fabs(x) < 1) || x == 0) {
      bool isEnd = std::fabs(x) == 1;
      values[i] = isEnd    ? sign * infinity
                  : x == 0 ? x
                           : std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    double rest = (1 - std::fabs(x)) * (1 + std::fabs(x)), log = rest;
    ops::wide::log(&log, 1);
    constexpr double a = 0.147, pi = 3.14159265358979323846;
    double half = 2 / (pi * a) + log / 2;
    double y = std::sqrt(std::sqrt(half * half - log / a) - half);
    for (int step = 0; step < 4; ++step) {
      // The complement of erf is the exact difference where erf is near 1.
      bool isNearOne = std::fabs(x) > 0.5;
      double value = y, slope = -y * y;
      ops::wide::exp(&slope, 1);
      (isNearOne ? ops::wide::erfc : ops::wide::erf)(&value, 1);
      double error =
          isNearOne ? value - (1 - std::fabs(x)) : std::fabs(x) - value;
      double change = error * halfRootPi / slope;
      y += change / (1 - y * change);
    }
    values[i] = sign * y;
  }
}

/// The number after x in the direction of y.
static FoldResult foldNextAfter(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (x.type() == DataType::Float32)
    return ops::zipAs<float, float, float>(
        x, y, [](float a, float b) { return std::nextafter(a, b); });
  if (x.type() == DataType::Float64)
    return ops::zipAs<double, double, double>(
        x, y, [](double a, double b) { return std::nextafter(a, b); });
  return Elements();
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
  return ops::mapTo<bool>(cx.input(0), [](auto a) {
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
  add("acos", alike<foldWide<ops::wide::acos>, 1>);
  add("acosh", alike<foldWide<ops::wide::acosh>, 1>);
  add("asin", alike<foldWide<ops::wide::asin>, 1>);
  add("asinh", alike<foldWide<ops::wide::asinh>, 1>);
  add("atan", alike<foldWide<ops::wide::atan>, 1>);
  add("atanh", alike<foldWide<ops::wide::atanh>, 1>);
  add("cosh", alike<foldWide<ops::wide::cosh>, 1>);
  add("sinh", alike<foldWide<ops::wide::sinh>, 1>);
  add("tan", alike<foldWide<ops::wide::tan>, 1>);
  // The error function, and 1 less it.
  add("erf", alike<foldWide<ops::wide::erf>, 1>);
  add("erfc", alike<foldWide<ops::wide::erfc>, 1>);
  add("square", alike<foldSquare, 1>);
  add("conj", alike<foldConjugate, 1>);
  add("constant_like", counted<foldConstantLike, 1>);
  // The inverse of the error function.
  add("erf_inv", alike<foldWide<inverseErf>, 1>);
  add("next_after", alike<foldNextAfter>);
  registry.add("top_k", {1}, counted<foldTopK, 1>);
  // Infinite, with either sign or with one.
  add("is_inf", alike<foldIsInfinite<0>, 1>);
  add("is_pos_inf", alike<foldIsInfinite<1>, 1>);
  add("is_neg_inf", alike<foldIsInfinite<-1>, 1>);
}
} // namespace onnxfold::hlo
