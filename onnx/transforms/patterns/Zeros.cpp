//===- Zeros.cpp - Operands of zeros --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "onnxfold/onnx/transforms/rewrite/UniformValues.h"

using namespace onnxfold;
using namespace mlir;

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
    if (state && hasShapeOfStates(cx, state) && isUniform(cx, i, 0.0))
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

/// Whether the operator gives the same for -0 in input #i as for 0.
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
