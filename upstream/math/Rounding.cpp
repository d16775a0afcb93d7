//===- Rounding.cpp - Constant kernels of rounding and classes in math ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Whole numbers near a float, its sign, and predicates of its class.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// The absolute value of a number with a sign; the smallest wraps to itself.
static FoldResult foldMathAbsI(FoldContext &cx) {
  Elements x = widened<int64_t>(cx.input(0));
  if (!x)
    return Elements();
  return lowBits(ops::mapAs<int64_t, int64_t>(
                     x, [](int64_t a) { return ops::absolute(a); }),
                 cx.input(0).type());
}

/// Finite, and neither zero nor subnormal in its own type.
static FoldResult foldMathIsNormal(FoldContext &cx) {
  double least = smallestNormal(cx.input(0).type());
  return askFloats(cx, [least](auto a) {
    double size = std::fabs(double(a));
    return size >= least && std::isfinite(size);
  });
}

namespace onnxfold::upstream {
void registerMathRounding(KernelRegistry &registry) {
  // The next whole number below.
  registry.add("floor", {1},
               mapFloats<[](auto a) { return decltype(a)(std::floor(a)); }>);
  // The next whole number above.
  registry.add("ceil", {1},
               mapFloats<[](auto a) { return decltype(a)(std::ceil(a)); }>);
  // The nearest whole number; halves away from zero.
  registry.add("round", {1},
               mapFloats<[](auto a) { return decltype(a)(std::round(a)); }>);
  // The nearest whole number; halves to the even one.
  registry.add(
      "roundeven", {1},
      mapFloats<[](auto a) { return decltype(a)(std::nearbyint(a)); }>);
  // The whole number towards zero.
  registry.add("trunc", {1},
               mapFloats<[](auto a) { return decltype(a)(std::trunc(a)); }>);
  // The absolute value; of -0 it is +0.
  registry.add("absf", {1},
               mapFloats<[](auto a) { return decltype(a)(ops::absolute(a)); }>);
  registry.add("absi", {1}, foldMathAbsI);
  // The absolute value of the first with the sign of the second.
  registry.add("copysign", {1}, zipFloats<[](auto a, auto b) {
                 return decltype(a)(std::copysign(a, b));
               }>);
  // Neither infinite nor NaN.
  registry.add("isfinite", {1},
               askFloats<[](auto a) { return std::isfinite(double(a)); }>);
  // Either infinity.
  registry.add("isinf", {1},
               askFloats<[](auto a) { return std::isinf(double(a)); }>);
  // NaN.
  registry.add("isnan", {1},
               askFloats<[](auto a) { return std::isnan(double(a)); }>);
  registry.add("isnormal", {1}, foldMathIsNormal);
}
} // namespace onnxfold::upstream
