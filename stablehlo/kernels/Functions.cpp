//===- Functions.cpp - Constant kernels of elementary functions -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Of floats computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/stablehlo/support/ComplexFunctions.h"

using namespace onnxfold;
using namespace onnxfold::hlo;
namespace wide = ops::wide;
namespace complex = ops::complex;

template <class F> static FoldResult foldFloats(FoldContext &cx, F f) {
  return mapFloats(cx.input(0), f);
}

static void reciprocalRoot(double *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] = 1 / std::sqrt(values[i]);
}

/// XLA's root of a negative number is in the upper half plane.
static bool isBelowCut(Complex z) {
  return z.real() < 0 && z.imag() == 0 && std::signbit(z.imag());
}

static FoldResult foldSqrt(FoldContext &cx) {
  if (isComplex(cx.input(0).type()))
    return foldOfComplex(cx, complex::sqrt, isBelowCut);
  return foldFloats(cx, [](auto a) { return decltype(a)(std::sqrt(a)); });
}
static FoldResult foldFloor(FoldContext &cx) {
  return foldFloats(cx, [](auto a) { return decltype(a)(std::floor(a)); });
}
static FoldResult foldCeil(FoldContext &cx) {
  return foldFloats(cx, [](auto a) { return decltype(a)(std::ceil(a)); });
}
static FoldResult foldRound(FoldContext &cx) {
  return foldFloats(cx, [](auto a) { return decltype(a)(std::round(a)); });
}
static FoldResult foldRoundEven(FoldContext &cx) {
  return foldFloats(cx, [](auto a) { return decltype(a)(std::nearbyint(a)); });
}
static FoldResult foldAtan2(FoldContext &cx) {
  return zipWide(cx.input(0), cx.input(1), wide::atan2);
}

namespace onnxfold::hlo {
void registerFunctions(KernelRegistry &registry) {
  auto add = [&](llvm::StringRef name, FoldFunction function) {
    registry.add(name, {1}, function).mapsElements().costs(unitsOfFunction);
  };
  // e to the power of x, and that less 1.
  add("exponential", alike<foldFunction<wide::exp, complex::exp>, 1>);
  add("exponential_minus_one",
      alike<foldFunction<wide::expm1, complex::expm1>, 1>);
  // The natural logarithm of x, and of 1 + x.
  add("log", alike<foldFunction<wide::log, complex::log>, 1>);
  add("log_plus_one", alike<foldFunction<wide::log1p, complex::log1p>, 1>);
  // 1 / (1 + exp(-x)).
  add("logistic", alike<foldFunction<wide::sigmoid, complex::logistic>, 1>);
  add("tanh", alike<foldFunction<wide::tanh, complex::tanh>, 1>);
  add("sine", alike<foldFunction<wide::sin, complex::sin>, 1>);
  add("cosine", alike<foldFunction<wide::cos, complex::cos>, 1>);
  add("tan", alike<foldFunction<wide::tan, complex::tan>, 1>);
  add("cbrt", alike<foldFunction<wide::cbrt, complex::cbrt>, 1>);
  // 1 / sqrt(x).
  add("rsqrt", alike<foldFunction<reciprocalRoot, complex::rsqrt>, 1>);
  add("sqrt", alike<foldSqrt, 1>);
  // The angle of the point (y, x).
  add("atan2", alike<foldAtan2>);
  // Whole numbers near x: halves away from zero (afz), or to the even one.
  add("floor", alike<foldFloor, 1>);
  add("ceil", alike<foldCeil, 1>);
  add("round_nearest_afz", alike<foldRound, 1>);
  add("round_nearest_even", alike<foldRoundEven, 1>);
}
} // namespace onnxfold::hlo
