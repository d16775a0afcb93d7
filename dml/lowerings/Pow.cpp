//===- Pow.cpp - Lowering of onnx.Pow ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ^ is Java's pow: 1 to the power of NaN or infinity is NaN there and 1 in ONNX,
// which helper power puts right if the exponent may be such. The result has the
// type of the base: integers are cut off.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

/// No element is NaN or infinite.
static bool isFinite(const Elements &values) {
  Elements doubles = asDoubles(values);
  if (doubles.isSplat() || doubles.size() == 1)
    return std::isfinite(doubles.value<double>());
  return llvm::all_of(doubles.values<double>(),
                      [](double v) { return std::isfinite(v); });
}

static Lowered lowerPow(LoweringContext &cx) {
  bool isWhole = !isFloat(cx.result().type);
  auto cut = [&](Expr p) {
    if (!isWhole)
      return p;
    p = cx.local("powers", p);
    return call("sign", {p}) * call("floor", {call("abs", {p})});
  };
  Elements exponent = cx.constant(1);
  if (!isFloat(cx.input(1).type) || (exponent && isFinite(exponent)))
    return lowerBinary(
        cx, [&](Expr x, Expr y) { return cut(power(x, y)); }, nullptr);
  const Shape &dims = cx.result().dims;
  Expr x = cx.local("base", expandTo(cx, operandOf(cx, 0), dims).expr),
       y = cx.local("exponent", expandTo(cx, operandOf(cx, 1), dims).expr);
  cx.define(0, cut(cx.helper("power", {x, y})));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerPowLowering(LoweringRegistry &registry) {
  registry.add("Pow", {7, 12, 13, 15}, lowerPow);
}
} // namespace onnxfold::dml
