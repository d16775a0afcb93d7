//===- Zeros.cpp - Tensors of zeros, whatever their shape -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

/// The operator moves elements of input #0 and adds none.
static bool onlyMoves(Operator op) {
  if (op.isAny({"Slice", "Transpose", "Expand", "Gather", "Tile", "Identity"}))
    return true;
  return patterns::keepsOrder(op);
}

/// All elements are +0.
static bool isZero(const Elements &value) {
  if (value.size() != 1 || value.type() == DataType::String ||
      typeClass(value.type()) == TypeClass::Complex)
    return false;
  double number = value.number().to<double>();
  return number == 0 && !std::signbit(number);
}

bool patterns::isZeros(Value value) {
  constexpr int mostMoves = 16;
  for (int i = 0; value && i < mostMoves; ++i) {
    Operator made = Operator::from(value.getDefiningOp());
    if (!made || made.isCustom() || made.hasReferences())
      return false;
    if (made.is("ConstantOfShape")) {
      Attribute given = made.attribute("value");
      Elements element = given ? elementsOf(given) : Elements();
      return !given || (element && isZero(element));
    }
    if (!onlyMoves(made))
      return false;
    value = made.input(0);
  }
  return false;
}

/// The sizes are those that the operator takes states of.
static bool hasShapeOfStates(const CleanUpContext &cx, Value state) {
  const auto &shape = cx.knownValues().state(state).shape;
  const auto &x = cx.knownValues().state(cx.op.input(0)).shape;
  const auto &weights = cx.knownValues().state(cx.op.input(2)).shape;
  if (!shape || !x || !weights || shape->size() != 3 || x->size() != 3 ||
      weights->size() != 3)
    return false;
  bool batchFirst = cx.op.getInt("layout", 0) == 1;
  auto [d, b] = batchFirst ? std::pair(1, 0) : std::pair(0, 1);
  return (*shape)[d] == (*weights)[0] && (*shape)[b] == (*x)[b] &&
         (*shape)[2] == (*weights)[2];
}

InputEdits patterns::editZeroStates(const CleanUpContext &cx) {
  bool isLSTM = cx.op.is("LSTM");
  InputEdits found;
  if (!isLSTM && !cx.op.is("GRU") && !cx.op.is("RNN"))
    return found;
  for (unsigned i : {5u, 6u}) {
    Value state = i == 5 || isLSTM ? cx.op.input(i) : Value();
    if (state && hasShapeOfStates(cx, state) &&
        (cx.isAll(i, 0.0) || isZeros(state)))
      found.push_back({i, Value()});
  }
  return found;
}

/// Constant, and all elements are 0 or -0.
static bool isZeroConstant(const CleanUpContext &cx, unsigned i) {
  return cx.isAll(i, 0.0) || cx.isAll(i, -0.0);
}

InputEdits patterns::editZeroBias(const CleanUpContext &cx) {
  struct Bias {
    OperatorName type;
    unsigned input;
    int since; ///< from which on it is optional
  };
  static constexpr Bias all[] = {
      {"Conv", 2, 1},  {"ConvTranspose", 2, 1}, {"DeformConv", 3, 1},
      {"Gemm", 2, 11}, {"LSTM", 3, 1},          {"LayerNormalization", 2, 17},
      {"GRU", 3, 1},   {"RNN", 3, 1},
  };
  for (const Bias &bias : all)
    if (cx.op.is(bias.type) && cx.op.since() >= bias.since &&
        isZeroConstant(cx, bias.input))
      return {{bias.input, Value()}};
  return {};
}

//===----------------------------------------------------------------------===//
// Readers that take -0 for 0
//===----------------------------------------------------------------------===//

/// What the operator gives for -0 in input #i it gives for 0.
static bool takesAllZerosAlike(const CleanUpContext &cx, unsigned i) {
  if (cx.op.is("Cast"))
    return isInteger(cx.typeOf(cx.op->getResult(0))) ||
           cx.typeOf(cx.op->getResult(0)) == DataType::Bool;
  if (cx.op.isAny({"Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual",
                   "Abs", "Exp", "Cos", "Cosh", "Sigmoid", "Softmax", "IsNaN",
                   "ReduceL1", "ReduceL2", "ReduceSumSquare"}))
    return i < 2;
  return false;
}

InputEdits patterns::editUnseenZeros(const CleanUpContext &cx) {
  InputEdits edits;
  for (unsigned i = 0; i < cx.op.numInputs() && i < 2; ++i)
    if (takesAllZerosAlike(cx, i))
      if (Operator sum = cx.producer(i))
        if (Value x = besideZero(cx.at(sum)))
          edits.push_back({i, x});
  return edits;
}
