//===- Chlo.cpp - Constant kernels of CHLO --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that StableHLO lacks, computed in double and rounded once. JAX
// writes them where XLA has an expansion for them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/stablehlo/support/Operands.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// x * x.
static FoldResult foldSquare(FoldContext &cx) {
  return mapNumbers(cx.input(0), [](auto a) { return ops::multiply(a, a); });
}

template <int sign> static FoldResult foldIsInfinite(FoldContext &cx) {
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return ops::mapTo<bool>(cx.input(0), [](auto a) {
    double x = double(a);
    return std::isinf(x) && (sign == 0 || (x > 0) == (sign > 0));
  });
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
  // Infinite, with either sign or with one.
  add("is_inf", alike<foldIsInfinite<0>, 1>);
  add("is_pos_inf", alike<foldIsInfinite<1>, 1>);
  add("is_neg_inf", alike<foldIsInfinite<-1>, 1>);
}
} // namespace onnxfold::hlo
