//===- Mod.cpp - Lowering of onnx.Mod ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers: %% is x - trunc(x / y) * y, which is exact below 2^53 (floor(x / y)
// * y may be beyond). Floats: helper fmod, exact for all numbers.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMod(LoweringContext &cx) {
  bool isC = cx.op().getInt("fmod", 0) != 0;
  if (isFloat(cx.result().type)) {
    const Shape &dims = cx.result().dims;
    Expr x = cx.local("dividend", expandTo(cx, operandOf(cx, 0), dims).expr),
         y = cx.local("divisor", expandTo(cx, operandOf(cx, 1), dims).expr);
    cx.define(0, cx.helper(isC ? "fmod" : "floor_mod", {x, y}));
    return Lowered::done();
  }
  bool isSigned = typeClass(cx.result().type) == TypeClass::Signed;
  auto f = [&](Expr x, Expr y) {
    Expr r = Expr::binary("%%", x, y);
    if (isC || !isSigned)
      return r;
    r = cx.local("remainder", r);
    return r - call("floor", {r / y}) * y;
  };
  return lowerBinary(cx, f, nullptr);
}

namespace onnxfold::dml {
void registerModLowering(LoweringRegistry &registry) {
  registry.add("Mod", {10, 13, 28}, lowerMod);
}
} // namespace onnxfold::dml
