//===- Functions.cpp - Constant kernels of elementary functions -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

template <class F> static FoldResult foldFloats(FoldContext &cx, F f) {
  return ops::mapFloat(cx.input(0), f);
}

static void reciprocalRoot(double *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] = 1 / std::sqrt(values[i]);
}

static FoldResult foldSqrt(FoldContext &cx) {
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
  return ops::zipWide(cx.input(0), cx.input(1), ops::wide::atan2);
}

namespace onnxfold::hlo {
void registerFunctions(KernelRegistry &registry) {
  auto add = [&](llvm::StringRef name, FoldFunction function) {
    registry.add(name, {1}, function).mapsElements().costs(unitsOfFunction);
  };
  // e to the power of x, and that less 1.
  add("exponential", alike<foldWide<ops::wide::exp>, 1>);
  add("exponential_minus_one", alike<foldWide<ops::wide::expm1>, 1>);
  // The natural logarithm of x, and of 1 + x.
  add("log", alike<foldWide<ops::wide::log>, 1>);
  add("log_plus_one", alike<foldWide<ops::wide::log1p>, 1>);
  // 1 / (1 + exp(-x)).
  add("logistic", alike<foldWide<ops::wide::sigmoid>, 1>);
  add("tanh", alike<foldWide<ops::wide::tanh>, 1>);
  add("sine", alike<foldWide<ops::wide::sin>, 1>);
  add("cosine", alike<foldWide<ops::wide::cos>, 1>);
  add("tan", alike<foldWide<ops::wide::tan>, 1>);
  add("cbrt", alike<foldWide<ops::wide::cbrt>, 1>);
  // 1 / sqrt(x).
  add("rsqrt", alike<foldWide<reciprocalRoot>, 1>);
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
