//===- KnownInputs.cpp - Known states of an operator's inputs -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/internal/KnownInputs.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Larger values count as unknown: they would be read for their key.
static constexpr int64_t mostKeyBytes = 1 << 16;

static bool isSmall(const Elements &value) {
  int64_t bytesEach = std::max<int64_t>(1, packedBytes(value.type(), 1));
  return value.size() <= mostKeyBytes / bytesEach;
}

KnownInputs::KnownInputs(Operator op, const Evaluation &evaluation)
    : exprs(&evaluation.exprs()) {
  llvm::SmallDenseMap<Value, unsigned, 4> numberOf;
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Value value = op.input(i);
    if (!value) {
      numbers.push_back(std::nullopt);
      continue;
    }
    auto [entry, isNew] = numberOf.try_emplace(value, states.size());
    numbers.push_back(entry->second);
    if (!isNew)
      continue;
    const ValueState &state = evaluation.state(value);
    typed &= state.type != DataType::Undefined;
    states.push_back(state);
    if (state.value && !isSmall(state.value))
      states.back().value = {};
  }
}

KnownInputs KnownInputs::withoutSizes() const {
  KnownInputs result = *this;
  result.hasSizes = false;
  for (ValueState &state : result.states)
    state.value = {};
  return result;
}

std::vector<int64_t> KnownInputs::key(bool withSizes) const {
  std::vector<int64_t> key;
  llvm::DenseMap<int64_t, int64_t> numberOf;
  auto add = [&](DimExpr symbol) {
    if (std::optional<int64_t> value = exprs->valueOf(symbol)) {
      key.insert(key.end(), {0, *value});
      return;
    }
    auto [entry, isNew] = numberOf.try_emplace(symbol.id, numberOf.size() + 1);
    key.push_back(entry->second);
    ExprRange range = exprs->rangeOf(symbol);
    if (isNew)
      key.insert(key.end(), {range.least, range.most});
  };
  for (std::optional<unsigned> number : numbers)
    key.push_back(number ? *number : -1);
  for (const ValueState &state : states) {
    key.insert(key.end(), {int64_t(state.type),
                           state.shape ? int64_t(state.shape->size()) : -1});
    if (!withSizes)
      continue;
    if (state.shape)
      llvm::for_each(*state.shape, add);
    key.push_back(state.isConstant() ? 1 : state.isSymbolic() ? 2 : 0);
    if (state.isConstant()) {
      ops::ContentHash hash = ops::contentHash(state.value);
      key.insert(key.end(), {int64_t(hash.low), int64_t(hash.high)});
    } else if (state.isSymbolic()) {
      llvm::append_range(key, state.value.shape());
      llvm::for_each(state.value.values<DimExpr>(), add);
    }
  }
  return key;
}

ValueState KnownInputs::translate(const ValueState &state, DimExprs &table,
                                  Renamed &renamed) const {
  auto rename = [&](DimExpr symbol) {
    if (!hasSizes)
      return table.freshDimension();
    if (std::optional<int64_t> value = exprs->valueOf(symbol))
      return table.constant(*value);
    auto [entry, isNew] = renamed.try_emplace(symbol.id);
    if (isNew)
      entry->second = table.fresh(exprs->rangeOf(symbol));
    return entry->second;
  };
  ValueState result = state;
  if (result.shape)
    llvm::transform(*state.shape, result.shape->begin(), rename);
  if (state.isSymbolic()) {
    auto elements = state.value.values<DimExpr>();
    llvm::transform(elements, elements.begin(), rename);
    result.value = Elements::fromValues<DimExpr>(state.value.shape(),
                                                 ArrayRef<DimExpr>(elements));
  }
  return result;
}

std::function<ValueState(BlockArgument, DimExprs &)>
KnownInputs::statesOf(Operation *graph) const {
  auto renamed = std::make_shared<Renamed>();
  return [=, this](BlockArgument argument, DimExprs &table) {
    unsigned number = argument.getArgNumber();
    if (argument.getOwner()->getParentOp() != graph || number >= states.size())
      return stateOfType(argument.getType(), table);
    return translate(states[number], table, *renamed);
  };
}

std::optional<Shape> KnownInputs::shapeOf(unsigned i) const {
  const ValueState &state = states[*numbers[i]];
  if (!state.shape)
    return std::nullopt;
  Shape shape;
  for (DimExpr symbol : *state.shape)
    shape.push_back(hasSizes ? exprs->valueOf(symbol).value_or(-1) : -1);
  return shape;
}
