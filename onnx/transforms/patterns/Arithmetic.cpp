//===- Arithmetic.cpp - Neutral elements and inverses --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

/// The operand beside which a neutral constant stands. Before version 7 shapes
/// are broadcast in another way, but to the shape of the first just the same.
static Value besideAll(const CleanUpContext &cx, double neutral,
                       bool commutes) {
  if (cx.op.numInputs() != 2)
    return {};
  if (patterns::isUniform(cx, 1, neutral))
    if (Value other = patterns::inputAlike(cx, 0))
      return other;
  return commutes && patterns::isUniform(cx, 0, neutral)
             ? patterns::inputAlike(cx, 1)
             : Value();
}

Value patterns::matchTimesOne(const CleanUpContext &cx) {
  if (cx.op.is("Mul"))
    return besideAll(cx, 1, true);
  return cx.op.is("Div") || cx.op.is("Pow") ? besideAll(cx, 1, false) : Value();
}

Value patterns::matchPlusZero(const CleanUpContext &cx) {
  if (cx.op.is("Sub"))
    return besideAll(cx, 0.0, false);
  if (!cx.op.is("Add"))
    return {};
  bool isFloat = typeClass(cx.typeOf(cx.op->getResult(0))) == TypeClass::Float;
  return besideAll(cx, isFloat ? -0.0 : 0.0, true);
}

/// Whatever the sign of the zeros.
static bool isAnyZero(const CleanUpContext &cx, unsigned i) {
  return patterns::isUniform(cx, i, 0.0) || patterns::isUniform(cx, i, -0.0);
}

Value patterns::matchPlusAnyZero(const CleanUpContext &cx) {
  bool isAdd = cx.op.is("Add");
  if (cx.op.numInputs() != 2 || (!isAdd && !cx.op.is("Sub")))
    return {};
  for (unsigned i : {1u, 0u})
    if ((isAdd || i == 1) && isAnyZero(cx, i))
      if (Value other = patterns::inputAlike(cx, 1 - i))
        return other;
  return {};
}

/// A constant whose elements are all different from a zero of this sign.
static bool hasNoZero(const CleanUpContext &cx, Value value, bool isNegative) {
  constexpr int64_t most = 4096; // as CleanUpContext::isAll
  Elements constant = cx.constantOf(value);
  if (!constant || constant.size() > most ||
      typeClass(constant.type()) != TypeClass::Float)
    return false;
  Elements wide = ops::cast(constant, DataType::Float64);
  return llvm::none_of(wide.values<double>(), [&](double v) {
    return v == 0 && std::signbit(v) == isNegative;
  });
}

/// No result of the operator is -0. (Of a sum that is so only where both are.)
static bool neverMinusZero(const CleanUpContext &cx, Value value) {
  Operator made = Operator::from(value.getDefiningOp());
  if (!made || made.isCustom() || made.hasReferences())
    return false;
  if (made.is("Cast"))
    return made.input(0) && isInteger(cx.typeOf(made.input(0)));
  if (made.is("Add") && made.numInputs() == 2)
    return hasNoZero(cx, made.input(0), /*isNegative=*/true) ||
           hasNoZero(cx, made.input(1), /*isNegative=*/true);
  if (made.is("Sub") && made.numInputs() == 2)
    return hasNoZero(cx, made.input(0), /*isNegative=*/true) ||
           hasNoZero(cx, made.input(1), /*isNegative=*/false);
  return made.is("Abs") || made.is("Exp") || made.is("Softmax") ||
         made.is("Sigmoid");
}

Value patterns::besideZero(const CleanUpContext &cx) {
  bool isSub = cx.op.is("Sub");
  if ((!cx.op.is("Add") && !isSub) || cx.op.numInputs() != 2 ||
      typeClass(cx.typeOf(cx.op->getResult(0))) != TypeClass::Float)
    return {};
  if (isSub)
    return patterns::isUniform(cx, 1, -0.0) ? patterns::inputAlike(cx, 0)
                                            : Value();
  for (unsigned i : {1u, 0u})
    if (patterns::isUniform(cx, i, 0.0))
      if (Value other = patterns::inputAlike(cx, 1 - i))
        return other;
  return {};
}

Value patterns::matchPlusUnseenZero(const CleanUpContext &cx) {
  Value other = besideZero(cx);
  return other && neverMinusZero(cx, other) ? other : Value();
}

Value patterns::matchTimesReciprocal(const CleanUpContext &cx) {
  if (!cx.op.is("Mul") || cx.op.since() < 7 || !cx.nodes.sinceOf("Div") ||
      typeClass(cx.typeOf(cx.op->getResult(0))) != TypeClass::Float)
    return {};
  for (unsigned i : {1u, 0u}) {
    Operator made = cx.producer(i);
    Value divisor;
    if (made && made.is("Reciprocal")) {
      divisor = made.input(0);
    } else if (made && made.is("Div") && made.since() >= 7) {
      Elements one = cx.constantOf(made.input(0));
      if (one && one.rank() == 0 && one.number().to<double>() == 1)
        divisor = made.input(1);
    }
    if (divisor && cx.isOnlyReader(i))
      return cx.nodes.create("Div", {cx.op.input(1 - i), divisor});
  }
  return {};
}

Value patterns::matchBits(const CleanUpContext &cx) {
  if (cx.op.is("And"))
    return besideAll(cx, 1, true);
  bool fits = cx.op.is("Or") || cx.op.is("Xor") || cx.op.is("BitwiseOr") ||
              cx.op.is("BitwiseXor");
  return fits ? besideAll(cx, 0, true) : Value();
}

Value patterns::matchTwice(const CleanUpContext &cx) {
  if (cx.op.isAny({"Neg", "Not", "BitwiseNot"}))
    if (Operator first = cx.producer(0, cx.op.name()))
      return first.input(0);
  return {};
}

Value patterns::matchIdempotent(const CleanUpContext &cx) {
  bool isTwice =
      cx.op.isAny({"Relu", "Abs", "Floor", "Ceil", "Round", "Sign"}) &&
      cx.producer(0, cx.op.name());
  return isTwice ? cx.op.input(0) : Value();
}

Value patterns::matchWhere(const CleanUpContext &cx) {
  if (!cx.op.is("Where"))
    return {};
  bool isSame = cx.op.input(1) == cx.op.input(2);
  if (Elements x = cx.constant(1), y = cx.constant(2); !isSame && x && y)
    isSame = x.identicalTo(y); // the file will have one of them
  return isSame ? patterns::inputAlike(cx, 1) : Value();
}

Value patterns::matchNotCondition(const CleanUpContext &cx) {
  Operator negation = cx.op.is("Where") ? cx.producer(0, "Not") : Operator();
  if (!negation || !cx.nodes.sinceOf("Where") || !cx.isOnlyReader(0))
    return {};
  return cx.nodes.create("Where",
                         {negation.input(0), cx.op.input(2), cx.op.input(1)});
}

Value patterns::matchCondition(const CleanUpContext &cx) {
  if (!cx.op.is("Where"))
    return {};
  if (patterns::isUniform(cx, 0, 1))
    return patterns::inputAlike(cx, 1);
  return patterns::isUniform(cx, 0, 0) ? patterns::inputAlike(cx, 2) : Value();
}
