//===- CleanUpContext.cpp - Questions of patterns -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

Elements CleanUpContext::constantOf(Value value) const {
  if (!value)
    return {};
  const ValueState &state = evaluation.state(value);
  return state.isConstant() ? state.value : Elements();
}

bool CleanUpContext::isAll(unsigned i, double number) const {
  Elements value = constant(i);
  // One element, or one that is broadcast: others cost a look at each.
  if (!value || value.size() == 0 || value.type() == DataType::String ||
      typeClass(value.type()) == TypeClass::Complex || value.size() > 4096)
    return false;
  auto isNumber = [&](double v) {
    return v == number && std::signbit(v) == std::signbit(number);
  };
  // Most constants are another number, and one element tells.
  if (!isNumber(value.number().to<double>()))
    return false;
  Elements wide = ops::cast(value, DataType::Float64);
  return wide && llvm::all_of(wide.values<double>(), isNumber);
}

bool CleanUpContext::haveSameShape(Value a, Value b) const {
  const auto &x = evaluation.state(a).shape, &y = evaluation.state(b).shape;
  return x && y && *x == *y;
}

bool CleanUpContext::isLike(Value value) const {
  Value result = op->getResult(0);
  return value && typeOf(value) != DataType::Undefined &&
         typeOf(value) == typeOf(result) && haveSameShape(value, result);
}

Operator CleanUpContext::producer(unsigned i) const {
  Value value = op.input(i);
  if (hidesMakers && constantOf(value))
    return {};
  Operator made = value ? Operator::from(value.getDefiningOp()) : Operator();
  // The attributes of one with references are not known.
  return made && !made.isCustom() && !made.hasReferences() ? made : Operator();
}

bool CleanUpContext::isReadOnce(Value value) const {
  if (session.countReaders(value, 2) == 1)
    return true;
  session.noteReaders(value);
  return false;
}

bool CleanUpContext::isReadBy(Value value,
                              ArrayRef<Operation *> readers) const {
  unsigned uses = llvm::count_if(value.getUsers(), [&](Operation *reader) {
    return llvm::is_contained(readers, reader);
  });
  if (session.countReaders(value, uses + 1) == uses)
    return true;
  session.noteReaders(value, uses);
  return false;
}

bool CleanUpContext::isOnlyReader(unsigned i) const {
  Operator made = producer(i);
  return made && evaluation.mayChange(made.getOperation()) &&
         made->getBlock() == op->getBlock() && isReadOnce(op.input(i));
}

Operator CleanUpContext::producer(unsigned i, OperatorName type) const {
  Operator made = producer(i);
  if (!made || !made.is(type))
    return {};
  // Patterns read values of the types that the operator takes.
  llvm::Error error = checkInputTypes(made);
  bool isRight = !error;
  llvm::consumeError(std::move(error));
  return isRight ? made : Operator();
}

bool CleanUpContext::dropsNothing() const {
  constexpr int withoutTraining = 7, ratioIsInput = 12;
  if (!op.is("Dropout"))
    return false;
  // A ratio of 0 keeps all elements, times 1.
  if (op.since() >= ratioIsInput)
    return !op.hasInput(2) || isAll(2, 0) || isAll(1, 0);
  return op.since() >= withoutTraining || op.getInt("is_test", 0) ||
         op.getFloat("ratio", 0.5f) == 0;
}
