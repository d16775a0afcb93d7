//===- LoopNodes.cpp - A Loop for a loop of DML ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The state of a Loop are the variables that its body reads before it assigns
// them, and those that are read after it. Its graph sees the other values around
// it. Types and sizes of a state are those that hold in all iterations: the
// body is translated with those of the start, and again with what it made of
// them, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/ControlFlow.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace onnxfold::dml;
using llvm::StringRef;

/// A variable that a Loop carries.
struct Translation::LoopState {
  std::string name;
  bool hasInitial = true; ///< false: its first value is never read
  DmlValue initial;
  /// The same in all iterations: what has a name or is known is never changed.
  DmlValue value;
  DmlValue end = {};      ///< after one iteration
  bool isPartial = false; ///< DmlValue::isPartial, after the loop
};

constexpr llvm::StringLiteral notInFirstRound =
    "is not assigned in the first round";

/// What the function or script that runs reads, and returns.
const llvm::StringMap<unsigned> &Translation::readsOfFrame() {
  auto [counted, isNew] = reads.try_emplace(frame.body);
  if (isNew) {
    countReads(*frame.body, counted->second);
    if (frame.results)
      for (const Parameter &one : *frame.results)
        ++counted->second[one.name];
  }
  return counted->second;
}

std::vector<Translation::LoopState>
Translation::statesOf(const Statement &statement, const Variables &variables) {
  std::vector<LoopState> states;
  Names assigned, first = readFirst(statement);
  addAssigned(statement.body, assigned);
  // It is read after the loop, or in the next iteration of one around it.
  const llvm::StringMap<unsigned> &all = readsOfFrame();
  llvm::StringMap<unsigned> inside;
  countReads(statement, inside);
  for (const std::string &name : assigned) {
    if (!first.contains(name) && all.lookup(name) <= inside.lookup(name))
      continue;
    LoopState state;
    state.name = name;
    auto found = variables.find(name);
    state.hasInitial = found != variables.end() && !found->second.isUnknown();
    if (state.hasInitial) {
      state.initial = state.value = found->second;
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
  return states;
}

/// Translates the body into the current graph; its condition.
DmlValue Translation::runBody(const Statement &statement,
                              const LoopCount *count,
                              std::vector<LoopState> &states,
                              const Names &assigned, Variables &variables) {
  std::string round =
      graph.addBodyInput(onnx::TensorProto::INT64, std::vector<int64_t>{});
  std::string goesOn =
      graph.addBodyInput(onnx::TensorProto::BOOL, std::vector<int64_t>{});
  for (const std::string &name : assigned)
    variables[name] = unassigned(notInFirstRound);
  for (LoopState &state : states) {
    DmlValue value = state.value;
    eachLeaf(value, [&](DmlValue &one) {
      if (isOpen(one))
        one.name = graph.addBodyInput(elementType(one), state.hasInitial
                                                            ? bodySizesOf(one)
                                                            : BodySizes());
    });
    if (state.hasInitial || !value.isUnknown())
      variables[state.name] = value;
  }
  if (count) {
    Place place = statement.place;
    DmlValue i = scalar(round, DmlValue::Int);
    if (count->step.number != 1)
      i = binary(place, "*", i, count->step);
    if (count->first.number != 0)
      i = binary(place, "+", i, count->first);
    variables[(*statement.target).text] = i;
  }
  run(*module, statement.body, variables);
  for (LoopState &state : states)
    state.end = variables[state.name];
  if (count)
    return scalar(goesOn, DmlValue::Boolean);
  return evaluate(statement.value, variables);
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
  DmlValue plain = end;
  // An open leaf is still open, whatever its name became.
  DmlValue both = value.type == DmlValue::List ? value : joined(value, plain);
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

/// Translates the body, again and again, until the states are those of all
/// iterations. Returns whether the loop continues; unknown if it is refused.
DmlValue Translation::settle(const Statement &statement, const LoopCount *count,
                             std::vector<LoopState> &states,
                             const Names &assigned, GraphBody &body,
                             Variables &variables) {
  size_t refused = refusals.size();
  std::vector<std::string> early; // read before anything assigns it
  DmlValue goesOn;
  ++bodies;
  for (bool isFirst = true;; isFirst = false) {
    body = {};
    InBody inside(graph, body);
    refusals.resize(refused);
    goesOn = runBody(statement, count, states, assigned, variables);
    if (isFirst)
      llvm::copy_if(llvm::drop_begin(refusals, refused),
                    std::back_inserter(early), [](const std::string &one) {
                      return llvm::StringRef(one).ends_with(notInFirstRound);
                    });
    bool isLess = false;
    for (LoopState &state : states) {
      if (isFirst && !state.hasInitial)
        state.isPartial = state.end.isPartial;
      isLess |= widen(state.value, state.end, isFirst && !state.hasInitial);
    }
    if (steps >= mostSteps) {
      refuse(statement.place, "a loop of too many steps");
      break;
    }
    if (!isLess)
      break;
  }
  --bodies;
  for (std::string &one : early)
    if (!llvm::is_contained(refusals, one))
      refusals.push_back(std::move(one));
  return refusals.size() > refused ? DmlValue() : goesOn;
}

/// Adds the outputs of the body for a state, and its initial values. Returns
/// the leaves of its value that are to have the names of the loop's outputs.
std::vector<DmlValue *> Translation::carry(LoopState &state, GraphBody &body,
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
      graph.addBodyOutput(portOf(end, *leaf), elementType(*leaf),
                          state.hasInitial ? bodySizesOf(*leaf) : BodySizes());
    }
    carried.push_back(leaf);
    initials.push_back(state.hasInitial ? portOf(*starts[i], *leaf)
                                        : portOf(standIn(*leaf), *leaf));
  });
  return carried;
}

/// The number of a loop that has ended is that of its last iteration; that of a
/// parfor is not seen outside. `before`: the variable before the loop.
DmlValue Translation::endCount(const Statement &statement,
                               const LoopCount &count, const DmlValue &before) {
  bool hasBefore = !before.isUnknown();
  if (statement.isParallel && hasBefore)
    return before;
  if (statement.isParallel ||
      readsOfFrame().lookup((*statement.target).text) == 0)
    return unreadable("is the number of a loop that has ended");
  Place place = statement.place;
  DmlValue one = known(1, DmlValue::Int);
  DmlValue last = binary(
      place, "+", count.first,
      binary(place, "*", binary(place, "-", count.trips, one), count.step));
  if (hasBefore && !count.trips.isAtLeast(1))
    last = select(binary(place, ">=", count.trips, one), last, before);
  return last;
}

void Translation::emitLoop(const Statement &statement, const LoopCount *count,
                           const DmlValue &condition, Variables &variables) {
  Names assigned;
  addAssigned(statement.body, assigned);
  std::vector<LoopState> states = statesOf(statement, variables);
  DmlValue number =
      count ? variables.lookup((*statement.target).text) : DmlValue();
  GraphBody &body = graph.newBody();
  DmlValue goesOn = settle(statement, count, states, assigned, body, variables);
  if (count)
    variables[(*statement.target).text] = endCount(statement, *count, number);
  for (const std::string &name : assigned)
    variables[name] = unassigned("is assigned in a loop only");
  if (goesOn.isUnknown()) {
    forget(statement.body, variables);
    return;
  }
  {
    InBody inside(graph, body);
    graph.addBodyOutput(truth(goesOn), onnx::TensorProto::BOOL,
                        std::vector<int64_t>{});
  }
  std::vector<std::string> initials;
  std::vector<DmlValue *> carried;
  for (LoopState &state : states)
    llvm::append_range(carried, carry(state, body, initials));
  if (!carried.empty()) { // something is read that the loop computes
    std::string trips = count ? integer(count->trips) : "";
    std::string first = count ? "" : truth(condition);
    std::vector<std::string> outputs = graph.loop(trips, first, initials, body);
    for (auto [leaf, name] : llvm::zip(carried, outputs))
      leaf->name = name;
  }
  for (LoopState &state : states) {
    state.value.isPartial = state.isPartial;
    variables[state.name] = state.value;
  }
}
