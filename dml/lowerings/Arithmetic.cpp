//===- Arithmetic.cpp - Lowerings of arithmetic ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operands broadcast; integers wrap around.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/dml/export/internal/Makers.h"
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// z = x + y; integers wrap around.
static Lowered lowerAdd(LoweringContext &cx) {
  DataType type = cx.result().type;
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return wrapped(cx, x + y, type); },
      [&](Expr x, Expr y) { return wrapped(cx, x + y, type); });
}

static bool isMinusOne(mlir::Value value) {
  Elements known = constantOf(value);
  return known && known.isSplat() && asDoubles(known).value<double>() == -1;
}

/// All that reads the value is written with its negation.
static bool isNegated(mlir::Value value) {
  return llvm::all_of(value.getUses(), [](mlir::OpOperand &use) {
    Operator user = Operator::from(use.getOwner());
    unsigned at = use.getOperandNumber();
    if (!user)
      return false;
    if (user.is("Mul"))
      return isMinusOne(user.input(1 - at));
    if (user.isAny({"Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"}))
      return isNegated(user->getResult(0));
    return user.isAny({"Neg", "Sigmoid", "Swish"}) ||
           (user.is("Sub") && at == 1);
  });
}

/// SystemDS 3.4.0 makes y - x of -(x - y), which it then refuses where y is a
/// row or a column, since such a one stands on the right.
static Expr difference(LoweringContext &cx, Expr x, Expr y) {
  bool isVector = !y.isNumber() && cx.input(0).dims != cx.input(1).dims;
  return isVector && isNegated(cx.op()->getResult(0)) ? x + (-y) : x - y;
}

/// z = x - y; integers wrap around.
static Lowered lowerSub(LoweringContext &cx) {
  DataType type = cx.result().type;
  return lowerBinary(
      cx,
      [&](Expr x, Expr y) { return wrapped(cx, difference(cx, x, y), type); },
      [&](Expr x, Expr y) { return wrapped(cx, -x + y, type); });
}

/// z = x / y; of integers, rounded to zero.
static Lowered lowerDiv(LoweringContext &cx) {
  bool isWhole = !isFloat(cx.result().type);
  auto quotient = [&](Expr x, Expr y) {
    if (!isWhole)
      return x / y;
    Expr q = cx.local("quotient", x / y);
    return call("sign", {q}) * call("floor", {call("abs", {q})});
  };
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return quotient(x, y); }, nullptr);
}

/// Integers: %% is x - trunc(x / y) * y, which is exact below 2^53 (floor(x /
/// y) * y may be beyond). Floats: helper fmod, exact for all numbers.
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

/// The sum of all inputs over their number.
static Lowered lowerMean(LoweringContext &cx) {
  double count = cx.numInputs();
  return lowerVariadic(
      cx, [](Expr x, Expr y) { return x + y; },
      [&](Expr sum) { return count == 1 ? sum : sum / count; });
}

namespace onnxfold::dml {
void registerArithmeticLowering(LoweringRegistry &registry) {
  registry.add("Add", {7, 13, 14}, lowerAdd);
  registry.add("Sub", {7, 13, 14}, lowerSub);
  registry.add("Div", {7, 13, 14}, lowerDiv);
  registry.add("Mod", {10, 13, 28}, lowerMod);
  // y = x0 + x1 + ...
  registry.add("Sum", {8, 13}, [](LoweringContext &cx) {
    return lowerVariadic(cx, [](Expr x, Expr y) { return x + y; });
  });
  registry.add("Mean", {6, 8, 13}, lowerMean);
  // y = max(x0, x1, ...); NaN wins.
  registry.add("Max", {8, 12, 13}, lowerExtreme);
  // y = min(x0, x1, ...); NaN wins.
  registry.add("Min", {8, 12, 13}, lowerExtreme);
}
} // namespace onnxfold::dml
