//===- JoinedOperands.cpp - What all calls of a function pass -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/internal/JoinedOperands.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace onnxfold;
using namespace mlir;

/// The arguments that one call passes: equal symbols are one class.
std::vector<JoinedOperands::Argument>
JoinedOperands::argumentsOf(Operation *function, Operation *call,
                            const Evaluation &evaluation) {
  const DimExprs &exprs = evaluation.exprs();
  std::vector<Argument> arguments(function->getRegion(0).getNumArguments());
  for (auto [argument, operand] : llvm::zip(arguments, call->getOperands())) {
    const ValueState &state = evaluation.state(operand);
    if (state.absent)
      continue;
    argument.type = state.type;
    if (!state.shape)
      continue;
    argument.shape.emplace();
    for (DimExpr size : *state.shape) {
      std::optional<int64_t> number = exprs.valueOf(size);
      argument.shape->push_back(
          {number.has_value(), number.value_or(size.id), exprs.rangeOf(size)});
    }
  }
  return arguments;
}

/// Sizes are in one class if they were in one before, and this call passes the
/// same for both.
void JoinedOperands::join(std::vector<Argument> &all,
                          const std::vector<Argument> &call) {
  std::map<std::tuple<bool, int64_t, bool, int64_t>, int64_t> classes;
  for (auto [mine, theirs] : llvm::zip_equal(all, call)) {
    if (mine.type != theirs.type)
      mine.type = DataType::Undefined;
    if (!mine.shape || !theirs.shape ||
        mine.shape->size() != theirs.shape->size()) {
      mine.shape.reset();
      continue;
    }
    for (auto [size, other] : llvm::zip_equal(*mine.shape, *theirs.shape)) {
      if (size.isNumber && other.isNumber && size.value == other.value)
        continue;
      auto key = std::make_tuple(size.isNumber, size.value, other.isNumber,
                                 other.value);
      size.value = classes.try_emplace(key, classes.size()).first->second;
      size.isNumber = false;
      size.range.least = std::min(size.range.least, other.range.least);
      size.range.most = std::max(size.range.most, other.range.most);
    }
  }
}

void JoinedOperands::note(Operation *function, Operation *call,
                          const Evaluation &evaluation) {
  std::vector<Argument> passed = argumentsOf(function, call, evaluation);
  auto [entry, isNew] = functions.try_emplace(function);
  if (isNew)
    entry->second.arguments = std::move(passed);
  else
    join(entry->second.arguments, passed);
}

bool JoinedOperands::knows(Operation *function) const {
  auto entry = functions.find(function);
  return isComplete && entry != functions.end() &&
         llvm::any_of(entry->second.arguments,
                      [](const Argument &argument) { return argument.says(); });
}

bool JoinedOperands::isSame(const JoinedOperands &other,
                            Operation *function) const {
  llvm::DenseMap<int64_t, int64_t> classes; // of the other one
  auto isSameSize = [&](const Size &mine, const Size &theirs) {
    if (mine.isNumber || theirs.isNumber)
      return mine.isNumber == theirs.isNumber && mine.value == theirs.value;
    auto entry = classes.try_emplace(mine.value, theirs.value).first;
    return entry->second == theirs.value;
  };
  return llvm::all_of(
      llvm::zip_equal(functions.find(function)->second.arguments,
                      other.functions.find(function)->second.arguments),
      [&](auto pair) {
        const auto &[mine, theirs] = pair;
        return mine.type == theirs.type &&
               mine.shape.has_value() == theirs.shape.has_value() &&
               (!mine.shape ||
                llvm::equal(*mine.shape, *theirs.shape, isSameSize));
      });
}

std::optional<ValueState> JoinedOperands::stateOf(BlockArgument argument,
                                                  DimExprs &exprs) {
  auto entry = functions.find(argument.getOwner()->getParentOp());
  unsigned number = argument.getArgNumber();
  if (!isComplete || entry == functions.end() ||
      number >= entry->second.arguments.size())
    return std::nullopt;
  Function &function = entry->second;
  if (number == 0) // another evaluation, with a table of its own
    function.symbols.clear();
  const Argument &known = function.arguments[number];
  if (!known.says())
    return std::nullopt;
  ValueState state;
  state.type = known.type;
  if (!known.shape)
    return state;
  state.shape.emplace();
  for (const Size &size : *known.shape) {
    if (size.isNumber) {
      state.shape->push_back(exprs.constant(size.value));
      continue;
    }
    auto [symbol, isNew] = function.symbols.try_emplace(size.value);
    if (isNew)
      symbol->second = exprs.fresh(size.range);
    state.shape->push_back(symbol->second);
  }
  return state;
}
