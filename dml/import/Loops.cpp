//===- Loops.cpp - Loops of DML as ONNX nodes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop of a known, small trip count is unrolled statement by statement, and
// so is a `while` as long as its condition is known. Others become a Loop
// (LoopNodes.cpp).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/ControlFlow.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold::dml;

/// Rounds of a loop that is unrolled before a Loop is tried.
constexpr unsigned mostRounds = 64;

std::optional<Translation::LoopCount>
Translation::countOf(const Statement &statement, Variables &variables) {
  const Expr::Node &node = *statement.value;
  std::vector<DmlValue> numbers;
  for (const Expr &one : node.operands)
    numbers.push_back(evaluate(one, variables));
  for (const Argument &one : node.arguments)
    numbers.push_back(evaluate(one.value, variables));
  Place place = statement.place;
  bool areScalars =
      llvm::all_of(numbers, [](auto &one) { return one.isScalar(); });
  if (numbers.size() < 2 || numbers.size() > 3 || !areScalars) {
    if (llvm::none_of(numbers, [&](auto &one) {
          return one.isUnknown() || isMissing(place, one);
        }))
      refuse(place, "a loop over something other than first:last or seq()");
    return std::nullopt;
  }
  auto asInt = [&](const DmlValue &value) {
    if (value.number)
      return known(std::trunc(*value.number), DmlValue::Int);
    return value.type == DmlValue::Int ? value
                                       : scalar(integer(value), DmlValue::Int);
  };
  LoopCount count;
  count.first = asInt(numbers[0]);
  DmlValue last = asInt(numbers[1]), one = known(1, DmlValue::Int);
  DmlValue distance = binary(place, "-", last, count.first);
  if (numbers.size() == 3)
    count.step = asInt(numbers[2]);
  else if (count.first.number && last.isAtLeast(count.first.size()))
    count.step = one;
  else
    count.step = select(binary(place, "<", distance, known(0, DmlValue::Int)),
                        known(-1, DmlValue::Int), one);
  if (count.step.number == 0) {
    refuse(place, "a loop whose step is 0");
    return std::nullopt;
  }
  auto isInfinite = [](const DmlValue &one) {
    return one.number && !(std::abs(*one.number) < 1e15);
  };
  if (isInfinite(count.first) || isInfinite(last) || isInfinite(count.step)) {
    refuse(place, "a loop whose numbers are not integers that can be counted");
    return std::nullopt;
  }
  if (distance.number && count.step.number) {
    count.rounds =
        int64_t(std::floor(*distance.number / *count.step.number)) + 1;
    count.rounds = std::max<int64_t>(*count.rounds, 0);
    count.trips = known(*count.rounds, DmlValue::Int);
    return count;
  }
  if (last.isAtLeast(1) && count.first.number == 1 && count.step.number == 1) {
    count.trips = last;
    return count;
  }
  DmlValue quotient = binary(place, "/", distance, count.step);
  quotient.name = graph.node("Floor", {quotient.name});
  count.trips = binary(place, "+", asInt(quotient), one);
  return count;
}

void Translation::loop(const Statement &statement, Variables &variables) {
  if (statement.kind == Statement::Kind::While)
    return loopWhile(statement, variables);
  std::optional<LoopCount> count = countOf(statement, variables);
  if (!count) {
    forget(statement.body, variables);
    return;
  }
  if (count->rounds && *count->rounds <= mostRounds) {
    if (!unroll(statement, *count, variables))
      forget(statement.body, variables);
    return;
  }
  size_t refused = refusals.size();
  Names assigned;
  addAssigned(statement.body, assigned);
  Variables before;
  for (const std::string &name : assigned)
    if (auto found = variables.find(name); found != variables.end())
      before[name] = found->second;
  emitLoop(statement, &*count, {}, variables);
  if (refusals.size() == refused || !count->rounds)
    return;
  // With the number of each iteration known it may be possible.
  std::vector<std::string> ofLoop(refusals.begin() + refused, refusals.end());
  refusals.resize(refused);
  for (const std::string &name : assigned)
    if (auto found = before.find(name); found != before.end())
      variables[name] = found->second;
    else
      variables.erase(name);
  if (!unroll(statement, *count, variables)) {
    refusals.resize(refused);
    refusals.insert(refusals.end(), ofLoop.begin(), ofLoop.end());
    forget(statement.body, variables);
  }
}

/// False if there are too many steps.
bool Translation::unroll(const Statement &statement, const LoopCount &count,
                         Variables &variables) {
  for (int64_t i = 0; i < *count.rounds; ++i) {
    if (steps >= mostSteps) {
      refuse(statement.place, "a loop of too many steps");
      return false;
    }
    variables[(*statement.target).text] =
        known(*count.first.number + i * *count.step.number, DmlValue::Int);
    ++steps; // the body may be empty
    run(*module, statement.body, variables);
  }
  return true;
}

/// Unrolls while the condition is known.
void Translation::loopWhile(const Statement &statement, Variables &variables) {
  for (;;) {
    DmlValue condition = evaluate(statement.value, variables);
    if (!condition.isScalar()) {
      if (!condition.isUnknown() && !isMissing(statement.place, condition))
        refuse(statement.place, "a condition that is not a scalar");
      return forget(statement.body, variables);
    }
    if (!condition.number)
      return emitLoop(statement, nullptr, condition, variables);
    if (*condition.number == 0)
      return;
    if (steps >= mostSteps || !refusals.empty()) {
      refuse(statement.place, "a loop of too many steps");
      return forget(statement.body, variables);
    }
    ++steps; // the body may be empty
    run(*module, statement.body, variables);
  }
}
