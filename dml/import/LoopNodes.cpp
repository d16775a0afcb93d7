//===- LoopNodes.cpp - A Loop for a loop of DML ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/LoopNodes.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace onnxfold::dml;

constexpr llvm::StringLiteral notInFirstRound =
    "is not assigned in the first round";

LoopNodes::LoopNodes(ControlFlow &flow, const Statement &statement,
                     const LoopCount *count, Variables &variables)
    : flow(flow), emitter(flow.emitter), graph(flow.graph),
      statement(statement), count(count), variables(variables),
      body(flow.graph.newBody()) {
  addAssigned(statement.body, assigned);
  findStates();
}

void LoopNodes::findStates() {
  Names first = readFirst(statement);
  // It is read after the loop, or in the next iteration of one around it.
  const llvm::StringMap<unsigned> &all = flow.runner.reads();
  llvm::StringMap<unsigned> inside;
  countReads(statement, inside);
  for (const std::string &name : assigned) {
    if (!first.contains(name) && all.lookup(name) <= inside.lookup(name))
      continue;
    State state;
    state.name = name;
    const DmlValue *found = variables.find(name);
    state.hasInitial = found && !found->isUnknown();
    state.isRefused = found && found->isUnknown() && found->text.empty();
    if (state.hasInitial) {
      state.initial = state.value = *found;
      // A matrix gets a new name in each iteration; a number may be the same.
      eachLeaf(state.value, [](DmlValue &one) {
        one.name.clear();
        one.isCounting = false;
        one.least = std::numeric_limits<int64_t>::min();
        if (one.isMatrix())
          one.text.clear();
      });
    }
    states.push_back(std::move(state));
  }
}

/// What holds at the start and after an iteration. True if that is less than
/// before.
static bool widen(DmlValue &value, const DmlValue &end, bool isFirst) {
  if (isFirst && value.isUnknown() && value.text.empty()) {
    value = end;
    eachLeaf(value, [](DmlValue &one) {
      one.name.clear();
      one.number.reset();
    });
    return !value.isUnknown();
  }
  // An open leaf is still open, whatever its name became.
  DmlValue both = value.type == DmlValue::List ? value : joined(value, end);
  if (value.type == DmlValue::List) {
    if (end.type != DmlValue::List || end.isOpenText != value.isOpenText ||
        end.elements.size() != value.elements.size() || end.keys != value.keys)
      both = unreadable("is a list that grows in a loop");
    else
      for (auto [x, y] : llvm::zip(both.elements, end.elements))
        widen(x, y, false);
  }
  bool isLess = !both.isSame(value);
  value = both;
  return isLess;
}

/// A state without a first value begins without one each time: what reads it in
/// the first round is refused.
void LoopNodes::recallStates() {
  const LoopMemory::States &before = flow.memory.of(&statement);
  for (State &state : states)
    if (auto found = before.find(state.name);
        state.hasInitial && found != before.end())
      widen(state.value, found->getValue(), false);
}

/// Unknown values may become known, when those around the loop are.
void LoopNodes::rememberStates() {
  LoopMemory::States &all = flow.memory.of(&statement);
  for (const State &state : states) {
    bool isKnown = true;
    eachLeaf(state.value,
             [&](const DmlValue &one) { isKnown &= !one.isUnknown(); });
    if (isKnown)
      all[state.name] = state.value;
  }
}

/// Translates the body into the current graph; its condition.
DmlValue LoopNodes::runBody() {
  std::string round =
      graph.addBodyInput(onnx::TensorProto::INT64, std::vector<int64_t>{});
  std::string goesOn =
      graph.addBodyInput(onnx::TensorProto::BOOL, std::vector<int64_t>{});
  for (const std::string &name : assigned)
    variables[name] = unassigned(notInFirstRound);
  for (State &state : states) {
    DmlValue value = state.value;
    eachLeaf(value, [&](DmlValue &one) {
      if (isOpen(one))
        one.name = graph.addBodyInput(emitter.elementType(one),
                                      state.hasInitial ? emitter.bodySizes(one)
                                                       : BodySizes());
    });
    if (state.hasInitial || state.isRefused || !value.isUnknown())
      variables[state.name] = value;
  }
  if (count) {
    Place place = statement.place;
    DmlValue i = DmlValue::scalar(round, DmlValue::Int);
    if (count->step.number != 1)
      i = flow.operators.binary(place, "*", i, count->step);
    if (count->first.number != 0)
      i = flow.operators.binary(place, "+", i, count->first);
    variables[(*statement.target).text] = i;
  }
  flow.runner.run(statement.body, variables);
  for (State &state : states)
    state.end = variables[state.name];
  if (count)
    return DmlValue::scalar(goesOn, DmlValue::Boolean);
  return flow.runner.evaluate(statement.value, variables);
}

bool LoopNodes::widenStates(bool isFirst) {
  bool isLess = false;
  for (State &state : states) {
    if (isFirst && !state.hasInitial)
      state.isPartial = state.end.isPartial;
    isLess |= widen(state.value, state.end, isFirst && !state.hasInitial);
  }
  return isLess;
}

DmlValue LoopNodes::settle() {
  Refusals &refusals = flow.refusals;
  size_t start = refusals.count();
  std::vector<std::string> early; // read before anything assigns it
  DmlValue goesOn;
  if (flow.isInBody())
    recallStates();
  ++flow.bodies;
  for (bool isFirst = true, isLess = true; isLess; isFirst = false) {
    body = {};
    InBody inside(graph, body);
    refusals.takeFrom(start);
    goesOn = runBody();
    if (isFirst)
      llvm::copy_if(llvm::drop_begin(refusals.all(), start),
                    std::back_inserter(early), [](const std::string &one) {
                      return llvm::StringRef(one).ends_with(notInFirstRound);
                    });
    isLess = widenStates(isFirst);
    if (flow.steps.isTooManyForLoop()) {
      refusals.refuse(statement.place, "a loop of too many steps");
      break;
    }
  }
  --flow.bodies;
  if (flow.isInBody())
    rememberStates();
  else
    flow.memory.clear();
  refusals.addMissing(std::move(early));
  return refusals.count() > start ? DmlValue() : goesOn;
}

/// Adds the outputs of the body for a state, and its initial values. Returns
/// the leaves of its value that are to have the names of the loop's outputs.
std::vector<DmlValue *> LoopNodes::carry(State &state,
                                         std::vector<std::string> &initials) {
  std::vector<DmlValue *> leaves, carried;
  std::vector<const DmlValue *> starts;
  eachLeaf(state.value, [&](DmlValue &one) { leaves.push_back(&one); });
  eachLeaf(state.initial, [&](DmlValue &one) { starts.push_back(&one); });
  size_t next = 0;
  eachLeaf(state.end, [&](DmlValue &end) {
    DmlValue *leaf = next < leaves.size() ? leaves[next] : nullptr;
    size_t i = next++;
    if (!leaf || !isOpen(*leaf))
      return;
    {
      InBody inside(graph, body);
      graph.addBodyOutput(emitter.as(end, *leaf), emitter.elementType(*leaf),
                          state.hasInitial ? emitter.bodySizes(*leaf)
                                           : BodySizes());
    }
    carried.push_back(leaf);
    initials.push_back(state.hasInitial
                           ? emitter.as(*starts[i], *leaf)
                           : emitter.as(emitter.standIn(*leaf), *leaf));
  });
  return carried;
}

/// The number of a loop that has ended is that of its last iteration; that of a
/// parfor is not seen outside. `before`: the variable before the loop.
DmlValue LoopNodes::endOfCount(const DmlValue &before) {
  bool hasBefore = !before.isUnknown();
  if (statement.isParallel && hasBefore)
    return before;
  if (statement.isParallel ||
      flow.runner.reads().lookup((*statement.target).text) == 0)
    return unreadable("is the number of a loop that has ended");
  auto binary = [&](llvm::StringRef op, const DmlValue &a, const DmlValue &b) {
    return flow.operators.binary(statement.place, op, a, b);
  };
  DmlValue one = DmlValue::known(1, DmlValue::Int);
  DmlValue steps = binary("*", binary("-", count->trips, one), count->step);
  DmlValue last = binary("+", count->first, steps);
  if (hasBefore && !count->trips.isAtLeast(1))
    last = emitter.select(binary(">=", count->trips, one), last, before);
  return last;
}

void LoopNodes::emit(const DmlValue &condition) {
  DmlValue number =
      count ? variables.lookup((*statement.target).text) : DmlValue();
  DmlValue goesOn = settle();
  if (count)
    variables[(*statement.target).text] = endOfCount(number);
  for (const std::string &name : assigned)
    variables[name] = unassigned("is assigned in a loop only");
  if (goesOn.isUnknown())
    return variables.forget(statement.body);
  {
    InBody inside(graph, body);
    graph.addBodyOutput(emitter.truth(goesOn), onnx::TensorProto::BOOL,
                        std::vector<int64_t>{});
  }
  std::vector<std::string> initials;
  std::vector<DmlValue *> carried;
  for (State &state : states)
    llvm::append_range(carried, carry(state, initials));
  if (!carried.empty()) { // something is read that the loop computes
    std::string trips = count ? emitter.integer(count->trips) : "";
    std::string first = count ? "" : emitter.truth(condition);
    std::vector<std::string> outputs = graph.loop(trips, first, initials, body);
    for (auto [leaf, name] : llvm::zip(carried, outputs))
      leaf->name = name;
  }
  for (State &state : states) {
    state.value.isPartial = state.isPartial;
    variables[state.name] = state.value;
  }
}
