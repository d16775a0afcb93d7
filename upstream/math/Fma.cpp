//===- Fma.cpp - Constant kernel of math.fma ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// a * b + c, rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

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

static FoldResult foldMathFma(FoldContext &cx) {
  return finished(cx, fused(cx.input(0), cx.input(1), cx.input(2)));
}

namespace onnxfold::upstream {
void registerMathFma(KernelRegistry &registry) {
  registry.add("fma", {1}, foldMathFma);
}
} // namespace onnxfold::upstream
