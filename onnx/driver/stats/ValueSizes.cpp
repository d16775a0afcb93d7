//===- ValueSizes.cpp - Shapes of values as formulas ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/ValueSizes.h"
#include "onnxfold/onnx/folding/SymbolicShapes.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/PrintableText.h"

using namespace onnxfold;
using namespace mlir;

Formula onnxfold::product(llvm::ArrayRef<Formula> sizes) {
  Formula result(1);
  for (const Formula &size : sizes)
    result = result * size;
  return result;
}

/// Null for a value that the evaluation has not seen.
const ValueState *ValueSizes::stateOf(Value value) const {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!value || (op && !evaluation.has(op) && !evaluation.isConstant(op)))
    return nullptr;
  return &evaluation.state(value);
}

std::optional<Sizes> ValueSizes::shapeOf(Value value) {
  const ValueState *state = stateOf(value);
  if (!state || !state->shape)
    return std::nullopt;
  Sizes sizes;
  for (auto [axis, size] : llvm::enumerate(*state->shape))
    sizes.push_back(open.of(size, [&] {
      return "size " + std::to_string(axis) + " of '" +
             printableName(valueName(value)) + "'";
    }));
  return sizes;
}

std::optional<DataType> ValueSizes::elementTypeOf(Value value) const {
  const ValueState *state = stateOf(value);
  return state && state->type != DataType::Undefined
             ? std::optional(state->type)
             : std::nullopt;
}

std::optional<Formula> ValueSizes::bytesOf(Value value) {
  const ValueState *state = stateOf(value);
  if (!state || state->type == DataType::Undefined ||
      state->type == DataType::String)
    return std::nullopt;
  std::optional<Sizes> shape = shapeOf(value);
  if (!shape)
    return std::nullopt;
  unsigned bits = bitWidth(state->type);
  Formula count = product(*shape);
  return bits < 8 ? (count * Formula(bits)).dividedUp(8)
                  : count * Formula(bits / 8);
}

std::optional<Formula> ValueSizes::elementOf(Value value, unsigned index,
                                             SizeNames::Meaning meaning) {
  const ValueState *state = stateOf(value);
  if (!state)
    return std::nullopt;
  std::optional<SymbolicShape> elements =
      elementsAsSymbols(*state, evaluation.exprs());
  if (!elements || index >= elements->size())
    return std::nullopt;
  return open.of((*elements)[index], meaning);
}

std::optional<bool> ValueSizes::truthOf(Value value) {
  const ValueState *state = stateOf(value);
  if (!state || !state->isConstant() || state->type != DataType::Bool ||
      state->value.size() != 1)
    return std::nullopt;
  return state->value.value<bool>();
}

std::optional<Sizes> NodeSizes::input(unsigned i) const {
  return op.hasInput(i) ? sizes.shapeOf(op.input(i)) : std::nullopt;
}

std::optional<Sizes> NodeSizes::output(unsigned i) const {
  return i < op.numOutputs() ? sizes.shapeOf(op->getResult(i)) : std::nullopt;
}

static std::optional<Formula> productOf(const std::optional<Sizes> &sizes) {
  return sizes ? std::optional(product(*sizes)) : std::nullopt;
}

std::optional<Formula> NodeSizes::numInput(unsigned i) const {
  return productOf(input(i));
}

std::optional<Formula> NodeSizes::numOutput(unsigned i) const {
  return productOf(output(i));
}

static std::optional<Formula> sizeAt(const std::optional<Sizes> &sizes,
                                     int axis) {
  int rank = sizes ? int(sizes->size()) : 0;
  int at = axis < 0 ? rank + axis : axis;
  return at >= 0 && at < rank ? std::optional((*sizes)[at]) : std::nullopt;
}

std::optional<Formula> NodeSizes::inputSize(unsigned i, int axis) const {
  return sizeAt(input(i), axis);
}

std::optional<Formula> NodeSizes::outputSize(unsigned i, int axis) const {
  return sizeAt(output(i), axis);
}
