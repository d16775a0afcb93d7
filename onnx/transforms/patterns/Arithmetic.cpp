//===- Arithmetic.cpp - Neutral elements and inverses --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "onnxfold/onnx/transforms/rewrite/UniformValues.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

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
    return isUniform(cx, 1, -0.0) ? patterns::inputAlike(cx, 0) : Value();
  for (unsigned i : {1u, 0u})
    if (isUniform(cx, i, 0.0))
      if (Value other = patterns::inputAlike(cx, 1 - i))
        return other;
  return {};
}

Value patterns::matchPlusUnseenZero(const CleanUpContext &cx) {
  Value other = besideZero(cx);
  return other && neverMinusZero(cx, other) ? other : Value();
}
