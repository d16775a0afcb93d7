//===- Mod.cpp - Constant kernel of onnx.Mod ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The remainder of x / y, broadcast. Spec: onnx Mod, versions 10, 13, 28
// (floored remainders of floats).
// fmod = 0: of floored division, with the sign of y, as Python's %. fmod = 1:
// of truncated division, with the sign of x, as C's fmod; for integers too, as
// a stored test has it. Integer division by zero, and of the smallest integer
// by -1, are undefined: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Division.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static auto truncated = [](auto a, auto b) {
  if constexpr (std::is_floating_point_v<decltype(a)>)
    return std::fmod(a, b); // exact
  else
    return decltype(a)(a % b);
};

static auto floored = [](auto a, auto b) {
  auto remainder = truncated(a, b);
  if (remainder != 0)
    return (remainder < 0) == (b < 0) ? remainder : add(remainder, b);
  if constexpr (std::is_floating_point_v<decltype(a)>)
    return std::copysign(remainder, b);
  return remainder;
};

static FoldResult foldMod(FoldContext &cx) {
  bool truncates = cx.integer("fmod").value_or(0) != 0;
  if (cx.isSymbolic())
    return foldElementwise(cx,
                           truncates ? SymbolOp::Remainder : SymbolOp::Modulo);
  return foldBinary(
      cx, [&](const Elements &x, const Elements &y) -> FoldResult {
        if (Reason undefined = findUndefinedDivision(x, y))
          return undefined;
        if (truncates)
          return zip(x, y, truncated);
        if (isFloat(x.type()) && cx.version() < 28)
          return invalid("attribute 'fmod' is 0, expected 1 for element type " +
                         name(x.type()));
        return zip(x, y, floored);
      });
}

namespace onnxfold {
void registerMod(KernelRegistry &registry) {
  registry.add("Mod", {10, 13, 28}, foldMod).movesSymbols();
}
} // namespace onnxfold
