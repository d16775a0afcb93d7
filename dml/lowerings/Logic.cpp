//===- Logic.cpp - Lowerings of comparisons, truth values and bits --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A truth value is 1 or 0.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Bits.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

/// `swapped` is the operator that gives the same with its operands exchanged.
static Lowered lowerOperator(LoweringContext &cx, const char *op,
                             const char *swapped) {
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return Expr::binary(op, x, y); },
      [&](Expr x, Expr y) { return Expr::binary(swapped, x, y); });
}

/// ifelse() takes scalars and matrices of one shape.
static Lowered lowerWhere(LoweringContext &cx) {
  const Shape &dims = cx.result().dims;
  Expr condition = expandTo(cx, operandOf(cx, 0), dims).expr;
  if (!condition.isName())
    condition = cx.local("condition", condition);
  cx.define(0, choice(condition, scalarOrExpanded(cx, operandOf(cx, 1), dims),
                      scalarOrExpanded(cx, operandOf(cx, 2), dims)));
  return Lowered::done();
}

/// In two's complement -1 - x; unsigned the largest number less x.
static Lowered lowerBitwiseNot(LoweringContext &cx) {
  DataType type = cx.result().type;
  if (typeClass(type) == TypeClass::Signed)
    return lowerUnary(cx, [&](Expr x) { return -x - 1; });
  if (bitWidth(type) >= 64)
    return Lowered::refused("the results would be beyond 2^53");
  return lowerUnary(
      cx, [&](Expr x) { return std::ldexp(1, bitWidth(type)) - 1 - x; });
}

namespace onnxfold::dml {
void registerLogicLowering(LoweringRegistry &registry) {
  registry.add("And", {7},
               [](LoweringContext &cx) { return lowerOperator(cx, "&", "&"); });
  registry.add("Or", {7},
               [](LoweringContext &cx) { return lowerOperator(cx, "|", "|"); });
  registry.add("Xor", {7}, [](LoweringContext &cx) {
    return lowerOperator(cx, "!=", "!=");
  });
  registry.add("Equal", {7, 11, 13, 19}, [](LoweringContext &cx) {
    return lowerOperator(cx, "==", "==");
  });
  registry.add("Greater", {7, 9, 13},
               [](LoweringContext &cx) { return lowerOperator(cx, ">", "<"); });
  registry.add("GreaterOrEqual", {12, 16}, [](LoweringContext &cx) {
    return lowerOperator(cx, ">=", "<=");
  });
  registry.add("Less", {7, 9, 13},
               [](LoweringContext &cx) { return lowerOperator(cx, "<", ">"); });
  registry.add("LessOrEqual", {12, 16}, [](LoweringContext &cx) {
    return lowerOperator(cx, "<=", ">=");
  });
  registry.add("Where", {9, 16}, lowerWhere);
  // DML's functions have 32 bits, with a sign; more bits are helper
  // bitwise_and, within 2^53.
  registry.add("BitwiseAnd", {18}, [](LoweringContext &cx) {
    return lowerBitwise(cx, "bitwAnd",
                        [](Expr, Expr, Expr both) { return both; });
  });
  // DML's functions have 32 bits, with a sign; more bits are helper bitwise_and
  // and sums within 2^53.
  registry.add("BitwiseOr", {18}, [](LoweringContext &cx) {
    return lowerBitwise(
        cx, "bitwOr", [](Expr x, Expr y, Expr both) { return x + (y - both); });
  });
  // DML's functions have 32 bits, with a sign; more bits are helper bitwise_and
  // and sums within 2^53.
  registry.add("BitwiseXor", {18}, [](LoweringContext &cx) {
    return lowerBitwise(cx, "bitwXor", [](Expr x, Expr y, Expr both) {
      return (x - both) + (y - both);
    });
  });
  registry.add("BitwiseNot", {18}, lowerBitwiseNot);
}
} // namespace onnxfold::dml
