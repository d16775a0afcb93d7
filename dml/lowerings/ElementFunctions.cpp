//===- ElementFunctions.cpp - Lowerings of functions of one operand -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Most are functions of DML.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Broadcasting.h"
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;

/// A function of DML that has the operator's name in small letters.
static Lowered lowerByName(LoweringContext &cx) {
  return lowerUnary(cx, [name = cx.op().opType().lower()](Expr x) {
    return call(name, {x});
  });
}

/// A helper of that name; those of hyperbolic functions are made of logarithms.
static Lowered lowerByHelper(LoweringContext &cx) {
  return lowerUnary(cx, [&, name = cx.op().opType().lower()](Expr x) {
    return cx.helper(name, {x});
  });
}

/// Helper erf: rational functions.
static Lowered lowerErf(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerByHelper(cx);
}

/// Of one sign or both.
static Lowered lowerIsInf(LoweringContext &cx) {
  bool negative = cx.op().getInt("detect_negative", 1) != 0,
       positive = cx.op().getInt("detect_positive", 1) != 0;
  double infinity = std::numeric_limits<double>::infinity();
  return lowerUnary(cx, [&](Expr x) {
    if (negative && positive)
      return call("isInf", {x});
    if (!negative && !positive)
      return call("isNaN", {call("isNaN", {x})}); // 0 everywhere
    return Expr::binary("==", x, positive ? infinity : -infinity);
  });
}

/// Half to even: adding and taking away 1.5 * 2^52 leaves no bits for a
/// fraction. round() of DML is half up. Numbers from 2^52 on are integers.
static Lowered lowerRound(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) {
    return call("ifelse",
                {Expr::binary("<", call("abs", {x}), 4503599627370496.0),
                 (x + 6755399441055744.0) - 6755399441055744.0, x});
  });
}

namespace onnxfold::dml {
void registerElementFunctionsLowering(LoweringRegistry &registry) {
  registry.add("Abs", {1, 6, 13}, lowerByName);
  registry.add("Acos", {7, 22}, lowerByName);
  registry.add("Acosh", {9, 22}, lowerByHelper);
  registry.add("Asin", {7, 22}, lowerByName);
  registry.add("Asinh", {9, 22}, lowerByHelper);
  registry.add("Atan", {7, 22}, lowerByName);
  registry.add("Atanh", {9, 22}, lowerByHelper);
  registry.add("Ceil", {1, 6, 13}, lowerByName);
  registry.add("Cos", {7, 22}, lowerByName);
  registry.add("Cosh", {9, 22}, lowerByName);
  registry.add("Erf", {9, 13}, lowerErf);
  registry.add("Exp", {1, 6, 13}, lowerByName);
  registry.add("Floor", {1, 6, 13}, lowerByName);
  // y = x
  registry.add("Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25},
               lowerUnary<[](Expr x) { return x; }>);
  registry.add("IsInf", {10, 20}, lowerIsInf);
  registry.add("IsNaN", {9, 13, 20},
               lowerUnary<[](Expr x) { return call("isNaN", {x}); }>);
  registry.add("Log", {1, 6, 13}, lowerByName);
  registry.add("Neg", {1, 6, 13}, lowerUnary<[](Expr x) { return -x; }>);
  // y = 1 - x, not !x: SystemDS turns !(a > b) into a <= b, which is wrong for
  // NaN.
  registry.add("Not", {1}, lowerUnary<[](Expr x) { return Expr(1) - x; }>);
  registry.add("Reciprocal", {1, 6, 13},
               lowerUnary<[](Expr x) { return Expr(1) / x; }>);
  registry.add("Round", {11, 22}, lowerRound);
  registry.add("Sign", {9, 13}, lowerByName);
  registry.add("Sin", {7, 22}, lowerByName);
  registry.add("Sinh", {9, 22}, lowerByName);
  registry.add("Sqrt", {1, 6, 13}, lowerByName);
  registry.add("Tan", {7, 22}, lowerByName);
  registry.add("Tanh", {1, 6, 13}, lowerByName);
}
} // namespace onnxfold::dml
