//===- ControlFlow.cpp - Branches and loops of DML as ONNX nodes ----------===//
//
// What is known is run: one of two branches, a loop of few rounds statement by
// statement. The rest becomes If and Loop. Their graphs see the values around
// them, so only what statements assign goes in and out of them.
//
// The state of a Loop are the variables that its body reads before it assigns
// them, and those that are read after it. Types and sizes of a state are those
// that hold in all rounds: the body is translated with those of the start, and
// again with what it made of them, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/internal/Translation.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold::dml;

/// Statements that are translated, of all rounds and calls; rounds of a loop
/// that is unrolled before a Loop is tried.
constexpr unsigned mostSteps = 200000, mostRounds = 64;

//===----------------------------------------------------------------------===//
// What two paths have in common
//===----------------------------------------------------------------------===//

bool DmlValue::isSame(const DmlValue &other) const {
  if (type != other.type || name != other.name || text != other.text ||
      rows != other.rows || columns != other.columns ||
      isOpenText != other.isOpenText ||
      elements.size() != other.elements.size() || keys != other.keys ||
      number.has_value() != other.number.has_value())
    return false;
  if (number && *number != *other.number &&
      !(std::isnan(*number) && std::isnan(*other.number)))
    return false;
  for (auto [a, b] : llvm::zip(elements, other.elements))
    if (!a.isSame(b))
      return false;
  return true;
}

DmlValue onnxfold::dml::unreadable(const llvm::Twine &why) {
  DmlValue value;
  value.text = why.str();
  return value;
}

/// The value of one path or the other, whose name is still open where they
/// differ. Unreadable if no type has both.
static DmlValue joined(const DmlValue &a, const DmlValue &b) {
  if (a.isSame(b))
    return a;
  if (a.isUnknown())
    return a;
  if (b.isUnknown())
    return b;
  DmlValue value;
  value.type = a.type;
  if (a.isScalar() && b.isScalar() &&
      (a.type == DmlValue::Boolean) == (b.type == DmlValue::Boolean)) {
    if (a.type != b.type)
      value.type = DmlValue::Double;
    // Of open values only: a number of a loop is another one in each round.
    value.least = std::min(a.least, b.least);
    return value;
  }
  if (a.type == b.type && a.isMatrix()) {
    value.rows = a.rows == b.rows ? a.rows : -1;
    value.columns = a.columns == b.columns ? a.columns : -1;
    return value;
  }
  if (a.type == b.type && a.type == DmlValue::List &&
      a.elements.size() == b.elements.size() && a.keys == b.keys) {
    value.keys = a.keys;
    for (auto [x, y] : llvm::zip(a.elements, b.elements))
      value.elements.push_back(joined(x, y));
    return value;
  }
  if (a.type == b.type && a.type == DmlValue::Text) {
    value.isOpenText = true;
    return value;
  }
  return unreadable("has another type or length on another path");
}

/// Matrices and scalars that have no name yet.
static bool isOpen(const DmlValue &value) {
  return (value.isMatrix() || value.isScalar()) && value.name.empty() &&
         !value.number;
}

/// All that are in lists, and the value itself.
template <typename Value, typename Use>
static void eachLeaf(Value &value, Use use) {
  if (value.type == DmlValue::List)
    for (auto &one : value.elements)
      eachLeaf(one, use);
  else
    use(value);
}

static BodySizes bodySizesOf(const DmlValue &value) {
  return value.isMatrix() ? std::vector<int64_t>{value.rows, value.columns}
                          : std::vector<int64_t>{};
}

int32_t Translation::elementType(const DmlValue &value) const {
  return value.type == DmlValue::Int       ? onnx::TensorProto::INT64
         : value.type == DmlValue::Boolean ? onnx::TensorProto::BOOL
                                           : graph.real();
}

/// The name of a value with the type of another.
std::string Translation::portOf(const DmlValue &value, const DmlValue &as) {
  return as.type == DmlValue::Int       ? integer(value)
         : as.type == DmlValue::Boolean ? truth(value)
                                        : real(value);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Variables that statements may assign are not known after them.
static void forget(const Body &body, Variables &variables) {
  Names names;
  addAssigned(body, names);
  for (const std::string &name : names)
    variables[name] = {};
}

static bool stops(const Body &body) {
  return llvm::any_of(body, [](const Statement &one) {
    return one.kind == Statement::Kind::Call && (*one.value).text == "stop";
  });
}

/// Statements that no result depends on.
static bool onlyPrints(const Body &body) {
  return llvm::all_of(body, [](const Statement &one) {
    if (one.kind == Statement::Kind::If)
      return onlyPrints(one.body) && onlyPrints(one.otherwise);
    return one.kind == Statement::Kind::Comment ||
           (one.kind == Statement::Kind::Call &&
            ((*one.value).text == "print" || (*one.value).text == "assert"));
  });
}

void Translation::choose(const Statement &statement, Variables &variables) {
  DmlValue condition = evaluate(statement.value, variables);
  if (condition.isScalar() && condition.number)
    return run(*module,
               *condition.number != 0 ? statement.body : statement.otherwise,
               variables);
  if (!condition.isScalar()) {
    if (!condition.isUnknown())
      refuse(statement.place, "a condition that is no scalar");
    forget(statement.body, variables);
    forget(statement.otherwise, variables);
    return;
  }
  // Who gets a result has not come to stop().
  if (stops(statement.body))
    return run(*module, statement.otherwise, variables);
  if (stops(statement.otherwise))
    return run(*module, statement.body, variables);
  if (!onlyPrints(statement.body) || !onlyPrints(statement.otherwise))
    branch(statement, condition, variables);
}

void Translation::branch(const Statement &statement, const DmlValue &condition,
                         Variables &variables) {
  Names names;
  addAssigned(statement.body, names);
  addAssigned(statement.otherwise, names);
  std::vector<DmlValue> before, ends[2];
  for (const std::string &name : names) {
    auto found = variables.find(name);
    before.push_back(found != variables.end()
                         ? found->second
                         : unreadable("is assigned on one path only"));
  }
  std::string test = truth(condition);
  GraphBody *graphs[] = {&graph.newBody(), &graph.newBody()};
  ++bodies;
  for (int i : {0, 1}) {
    InBody inside(graph, *graphs[i]);
    run(*module, i == 0 ? statement.body : statement.otherwise, variables);
    for (auto [name, value] : llvm::zip(names, before)) {
      ends[i].push_back(variables[name]);
      variables[name] = value;
    }
  }
  --bodies;
  std::vector<DmlValue *> open;
  std::vector<DmlValue> values;
  for (auto [a, b] : llvm::zip(ends[0], ends[1]))
    values.push_back(joined(a, b));
  for (auto [value, a, b] : llvm::zip(values, ends[0], ends[1])) {
    std::vector<DmlValue *> leaves;
    eachLeaf(value, [&](DmlValue &one) { leaves.push_back(&one); });
    for (int i : {0, 1}) {
      InBody inside(graph, *graphs[i]);
      size_t next = 0;
      eachLeaf(i == 0 ? a : b, [&](DmlValue &one) {
        DmlValue *leaf = next < leaves.size() ? leaves[next++] : nullptr;
        if (leaf && isOpen(*leaf))
          graph.addBodyOutput(portOf(one, *leaf), elementType(*leaf),
                              bodySizesOf(one));
      });
    }
    for (DmlValue *leaf : leaves)
      if (isOpen(*leaf))
        open.push_back(leaf);
  }
  if (!open.empty()) {
    std::vector<std::string> outputs =
        graph.branch(test, *graphs[0], *graphs[1]);
    for (auto [leaf, name] : llvm::zip(open, outputs))
      leaf->name = name;
  }
  for (auto [name, value] : llvm::zip(names, values))
    variables[name] = value;
}

DmlValue Translation::select(const DmlValue &condition, const DmlValue &yes,
                             const DmlValue &no) {
  if (condition.number)
    return *condition.number != 0 ? yes : no;
  DmlValue value = joined(yes, no);
  if (!isOpen(value))
    return value;
  std::string test = truth(condition);
  if (value.isScalar() || (value.rows >= 0 && value.columns >= 0)) {
    std::string a = portOf(yes, value), b = portOf(no, value);
    value.name = graph.node("Where", {test, a, b});
    return value;
  }
  GraphBody *graphs[] = {&graph.newBody(), &graph.newBody()};
  for (int i : {0, 1}) {
    InBody inside(graph, *graphs[i]);
    const DmlValue &one = i == 0 ? yes : no;
    graph.addBodyOutput(portOf(one, value), elementType(value),
                        bodySizesOf(one));
  }
  value.name = graph.branch(test, *graphs[0], *graphs[1]).front();
  return value;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The numbers of a for: first, first + step, ...
struct Translation::LoopCount {
  DmlValue first, step;
  std::optional<int64_t> rounds; ///< if it is known
  DmlValue trips;                ///< an Int
};

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
    if (llvm::none_of(numbers, [](auto &one) { return one.isUnknown(); }))
      refuse(place, "a loop over what is no first:last, nor seq()");
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
  else if (count.first.number && last.isAtLeast(int64_t(*count.first.number)))
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
    refuse(place, "a loop whose numbers are no integers that can be counted");
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
  // With the numbers of each round known it may do.
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

/// Round by round while the condition is known.
void Translation::loopWhile(const Statement &statement, Variables &variables) {
  for (;;) {
    DmlValue condition = evaluate(statement.value, variables);
    if (!condition.isScalar()) {
      if (!condition.isUnknown())
        refuse(statement.place, "a condition that is no scalar");
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

/// A variable that a Loop carries.
struct Translation::LoopState {
  std::string name;
  bool hasInitial = true; ///< false: its first value is never read
  DmlValue initial;
  /// The same in all rounds: what has a name or is known is never changed.
  DmlValue value;
  DmlValue end = {}; ///< of one round
};

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
  Names assigned, first = readFirst(statement.body);
  addAssigned(statement.body, assigned);
  // Others read it behind the loop, or in the next round of one around it.
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
      // A matrix gets a new name in each round; a number may stay as it is.
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
    variables[name] = unreadable("is not assigned in the first round");
  for (LoopState &state : states) {
    DmlValue value = state.value;
    eachLeaf(value, [&](DmlValue &one) {
      if (isOpen(one))
        one.name = graph.addBodyInput(elementType(one), state.hasInitial
                                                            ? bodySizesOf(one)
                                                            : BodySizes());
    });
    if (state.hasInitial)
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

/// What holds at the start and after a round. True if that is less than before.
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
  // An open leaf stays so, whatever its name became.
  DmlValue both = value.type == DmlValue::List ? value : joined(value, plain);
  if (value.type == DmlValue::List) {
    if (end.type != DmlValue::List ||
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
/// rounds. Whether the loop goes on; unknown if it is refused.
DmlValue Translation::settle(const Statement &statement, const LoopCount *count,
                             std::vector<LoopState> &states,
                             const Names &assigned, GraphBody &body,
                             Variables &variables) {
  size_t refused = refusals.size();
  DmlValue goesOn;
  ++bodies;
  for (bool isFirst = true;; isFirst = false) {
    body = {};
    InBody inside(graph, body);
    refusals.resize(refused);
    goesOn = runBody(statement, count, states, assigned, variables);
    bool isLess = false;
    for (LoopState &state : states)
      isLess |= widen(state.value, state.end, isFirst && !state.hasInitial);
    if (steps >= mostSteps) {
      refuse(statement.place, "a loop of too many steps");
      break;
    }
    if (!isLess)
      break;
  }
  --bodies;
  return refusals.size() > refused ? DmlValue() : goesOn;
}

/// Outputs of the body for a state, and what it is before the first round. The
/// leaves of its value that are to have the names of the loop's outputs.
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
                       : leaf->isMatrix()
                           ? graph.matrix({}, 0, 0)
                           : portOf(known(0, leaf->type), *leaf));
  });
  return carried;
}

void Translation::emitLoop(const Statement &statement, const LoopCount *count,
                           const DmlValue &condition, Variables &variables) {
  Names assigned;
  addAssigned(statement.body, assigned);
  std::vector<LoopState> states = statesOf(statement, variables);
  GraphBody &body = graph.newBody();
  DmlValue goesOn = settle(statement, count, states, assigned, body, variables);
  for (const std::string &name : assigned)
    variables[name] = unreadable("is assigned in a loop only");
  if (count)
    variables[(*statement.target).text] =
        unreadable("is the number of a loop that has ended");
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
  std::string trips = count ? integer(count->trips) : "";
  std::string first = count ? "" : truth(condition);
  std::vector<std::string> outputs = graph.loop(trips, first, initials, body);
  for (auto [leaf, name] : llvm::zip(carried, outputs))
    leaf->name = name;
  for (LoopState &state : states)
    variables[state.name] = state.value;
}
