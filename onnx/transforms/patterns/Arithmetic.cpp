//===- Arithmetic.cpp - Neutral elements and inverses --------------------===//

#include "onnxfold/onnx/transforms/CleanUpPatterns.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The operand beside which a neutral constant stands. Before version 7 shapes
/// are broadcast in another way, but to the shape of the first just the same.
static Value besideAll(const CleanUpContext &cx, double neutral,
                       bool commutes) {
  if (cx.op.numInputs() != 2)
    return {};
  if (cx.isAll(1, neutral))
    return patterns::inputAlike(cx, 0);
  return commutes && cx.isAll(0, neutral) ? patterns::inputAlike(cx, 1)
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

Value patterns::matchBits(const CleanUpContext &cx) {
  if (cx.op.is("And"))
    return besideAll(cx, 1, true);
  bool fits = cx.op.is("Or") || cx.op.is("Xor") || cx.op.is("BitwiseOr") ||
              cx.op.is("BitwiseXor");
  return fits ? besideAll(cx, 0, true) : Value();
}

Value patterns::matchTwice(const CleanUpContext &cx) {
  for (StringRef type : {"Neg", "Not", "BitwiseNot"})
    if (cx.op.is(type))
      if (Operator first = cx.producer(0, type))
        return first.input(0);
  return {};
}

Value patterns::matchIdempotent(const CleanUpContext &cx) {
  for (StringRef type : {"Relu", "Abs", "Floor", "Ceil", "Round", "Sign"})
    if (cx.op.is(type) && cx.producer(0, type))
      return cx.op.input(0);
  return {};
}

Value patterns::matchWhere(const CleanUpContext &cx) {
  bool isSame = cx.op.is("Where") && cx.op.input(1) == cx.op.input(2);
  return isSame ? patterns::inputAlike(cx, 1) : Value();
}

Value patterns::matchCondition(const CleanUpContext &cx) {
  if (!cx.op.is("Where"))
    return {};
  if (cx.isAll(0, 1))
    return patterns::inputAlike(cx, 1);
  return cx.isAll(0, 0) ? patterns::inputAlike(cx, 2) : Value();
}
