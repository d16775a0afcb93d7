//===- Loops.cpp - Loops of DML as ONNX nodes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop of a known, small trip count is unrolled statement by statement, and
// so is a `while` as long as its condition is known.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/LoopNodes.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold::dml;

/// Rounds of a loop that is unrolled before a Loop is tried.
constexpr unsigned mostRounds = 64;

std::optional<LoopCount> ControlFlow::countOf(const Statement &statement,
                                              Variables &variables) {
  const Expr::Node &node = *statement.value;
  std::vector<DmlValue> numbers;
  for (const Expr &one : node.operands)
    numbers.push_back(runner.evaluate(one, variables));
  for (const Argument &one : node.arguments)
    numbers.push_back(runner.evaluate(one.value, variables));
  Place place = statement.place;
  bool areScalars =
      llvm::all_of(numbers, [](auto &one) { return one.isScalar(); });
  if (numbers.size() < 2 || numbers.size() > 3 || !areScalars) {
    if (llvm::none_of(numbers, [&](auto &one) {
          return one.isUnknown() || refusals.isMissing(place, one);
        }))
      refusals.refuse(place,
                      "a loop over something other than first:last or seq()");
    return std::nullopt;
  }
  LoopCount count;
  count.first = emitter.whole(numbers[0]);
  DmlValue last = emitter.whole(numbers[1]),
           one = DmlValue::known(1, DmlValue::Int);
  DmlValue distance = operators.binary(place, "-", last, count.first);
  if (numbers.size() == 3)
    count.step = emitter.whole(numbers[2]);
  else if (count.first.number && last.isAtLeast(count.first.size()))
    count.step = one;
  else
    count.step =
        emitter.select(operators.binary(place, "<", distance,
                                        DmlValue::known(0, DmlValue::Int)),
                       DmlValue::known(-1, DmlValue::Int), one);
  if (count.step.number == 0) {
    refusals.refuse(place, "a loop whose step is 0");
    return std::nullopt;
  }
  auto isInfinite = [](const DmlValue &one) {
    return one.number && !(std::abs(*one.number) < 1e15);
  };
  if (isInfinite(count.first) || isInfinite(last) || isInfinite(count.step)) {
    refusals.refuse(
        place, "a loop whose numbers are not integers that can be counted");
    return std::nullopt;
  }
  if (distance.number && count.step.number) {
    count.rounds =
        int64_t(std::floor(*distance.number / *count.step.number)) + 1;
    count.rounds = std::max<int64_t>(*count.rounds, 0);
    count.trips = DmlValue::known(*count.rounds, DmlValue::Int);
    return count;
  }
  if (last.isAtLeast(1) && count.first.number == 1 && count.step.number == 1) {
    count.trips = last;
    return count;
  }
  DmlValue quotient = operators.binary(place, "/", distance, count.step);
  quotient.name = graph.node("Floor", {quotient.name});
  count.trips = operators.binary(place, "+", emitter.whole(quotient), one);
  return count;
}

void ControlFlow::loop(const Statement &statement, Variables &variables) {
  if (statement.kind == Statement::Kind::While)
    loopWhile(statement, variables);
  else
    loopFor(statement, variables);
}

void ControlFlow::loopFor(const Statement &statement, Variables &variables) {
  std::optional<LoopCount> count = countOf(statement, variables);
  if (!count)
    return variables.forget(statement.body);
  if (count->rounds && *count->rounds <= mostRounds) {
    if (!unroll(statement, *count, variables))
      variables.forget(statement.body);
    return;
  }
  size_t start = refusals.count();
  Names assigned;
  addAssigned(statement.body, assigned);
  Variables::Saved before = variables.save(assigned);
  emitLoop(statement, &*count, {}, variables);
  if (refusals.count() == start || !count->rounds)
    return;
  // With the number of each iteration known it may be possible.
  std::vector<std::string> ofLoop = refusals.takeFrom(start);
  variables.restore(before);
  if (!unroll(statement, *count, variables)) {
    refusals.takeFrom(start);
    refusals.addMissing(std::move(ofLoop));
    variables.forget(statement.body);
  }
}

/// False if there are too many steps.
bool ControlFlow::unroll(const Statement &statement, const LoopCount &count,
                         Variables &variables) {
  for (int64_t i = 0; i < *count.rounds; ++i) {
    if (steps.isTooManyForLoop()) {
      refusals.refuse(statement.place, "a loop of too many steps");
      return false;
    }
    variables[(*statement.target).text] = DmlValue::known(
        *count.first.number + i * *count.step.number, DmlValue::Int);
    steps.add(); // the body may be empty
    LoopMemory::Within round(memory, &statement, i);
    runner.run(statement.body, variables);
  }
  return true;
}

/// Unrolls while the condition is known.
void ControlFlow::loopWhile(const Statement &statement, Variables &variables) {
  for (int64_t i = 0;; ++i) {
    // The condition may call functions that have loops.
    LoopMemory::Within round(memory, &statement, i);
    DmlValue condition = runner.evaluate(statement.value, variables);
    if (!isCondition(statement.place, condition))
      return variables.forget(statement.body);
    if (!condition.number)
      return emitLoop(statement, nullptr, condition, variables);
    if (*condition.number == 0)
      return;
    if (steps.isTooManyForLoop())
      refusals.refuse(statement.place, "a loop of too many steps");
    if (!refusals.empty()) // what is refused may be what ends the loop
      return variables.forget(statement.body);
    steps.add(); // the body may be empty
    runner.run(statement.body, variables);
  }
}

void ControlFlow::emitLoop(const Statement &statement, const LoopCount *count,
                           const DmlValue &condition, Variables &variables) {
  LoopNodes(*this, statement, count, variables).emit(condition);
}
