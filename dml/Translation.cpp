//===- Translation.cpp - DML statements as ONNX nodes ---------------------===//

#include "onnxfold/dml/internal/Translation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

/// Of all loops and calls that are unrolled.
constexpr unsigned mostSteps = 200000, mostCalls = 100;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

DmlValue Translation::evaluate(const Expr &expr, Variables &variables) {
  return evaluateNode(*expr, variables);
}

static DmlValue textValue(StringRef text) {
  DmlValue value;
  value.type = DmlValue::Text;
  value.text = text.str();
  return value;
}

DmlValue Translation::evaluateNode(const Expr::Node &node,
                                   Variables &variables) {
  switch (node.kind) {
  case Expr::Kind::Number: {
    bool isInt = !node.isReal && std::trunc(node.number) == node.number &&
                 std::isfinite(node.number);
    return known(node.number, isInt ? DmlValue::Int : DmlValue::Double);
  }
  case Expr::Kind::Text:
    return textValue(node.text);
  case Expr::Kind::Name: {
    if (node.text == "TRUE" || node.text == "FALSE")
      return known(node.text == "TRUE", DmlValue::Boolean);
    if (node.text == "pi")
      return known(3.14159265358979323846, DmlValue::Double);
    auto found = variables.find(node.text);
    if (found != variables.end())
      return found->second;
    return refuse(node.place, node.text[0] == '$'
                                  ? "'" + node.text + "' outside of ifdef()"
                                  : "'" + node.text + "' is not defined");
  }
  case Expr::Kind::Unary:
    return evaluateUnary(node, variables);
  case Expr::Kind::Binary: {
    DmlValue left = evaluate(node.operands[0], variables);
    DmlValue right = evaluate(node.operands[1], variables);
    return binary(node.place, node.text, left, right);
  }
  case Expr::Kind::Slice:
    return slice(node, variables);
  case Expr::Kind::List: {
    DmlValue value;
    value.type = DmlValue::List;
    for (const Expr &one : node.operands)
      value.elements.push_back(evaluate(one, variables));
    return value;
  }
  case Expr::Kind::Call: {
    std::vector<DmlValue> results = evaluateCall(node, variables);
    return results.empty() ? DmlValue() : results.front();
  }
  }
  return {};
}

const DmlValue *CallArguments::find(StringRef key, size_t index) const {
  if (auto found = named.find(key); found != named.end())
    return &found->second;
  return index < positional.size() ? &positional[index] : nullptr;
}

static const Function *functionIn(const Module &module, StringRef name) {
  for (const Function &one : module.script.functions)
    if (one.name == name)
      return &one;
  return nullptr;
}

std::vector<DmlValue> Translation::evaluateCall(const Expr::Node &node,
                                                Variables &variables) {
  if (node.text == "ifdef" && node.arguments.size() == 2)
    return {evaluate(node.arguments[1].value, variables)};
  CallArguments given{node, {}, {}};
  for (const Argument &one : node.arguments) {
    DmlValue value = evaluate(one.value, variables);
    if (one.key.empty())
      given.positional.push_back(std::move(value));
    else
      given.named[one.key] = std::move(value);
  }
  auto [space, name] = StringRef(node.text).split("::");
  const Module *where = module;
  if (!name.empty()) {
    auto found = module->sourced.find(space);
    if (found == module->sourced.end())
      return {refuse(node.place, "'" + space + "' is not sourced")};
    where = found->second;
  } else {
    name = space;
  }
  if (const Function *function = functionIn(*where, name))
    return callFunction(*where, *function, given);
  if (where != module)
    return {
        refuse(node.place, "'" + space + "' has no function '" + name + "'")};
  if (name == "read")
    return {refuse(node.place, "read() inside of an expression or a function")};
  return {builtin(given)};
}

/// Numbers as the type of a parameter says.
static bool fitsParameter(DmlValue &value, StringRef type) {
  if (type.starts_with("matrix"))
    return value.isMatrix();
  if (type.starts_with("list"))
    return value.type == DmlValue::List;
  if (type == "string")
    return value.type == DmlValue::Text;
  if (!value.isScalar())
    return false;
  if (type == "double" && value.number && value.type == DmlValue::Int)
    value.type = DmlValue::Double;
  if (type == "int" && value.number && value.type == DmlValue::Double &&
      std::trunc(*value.number) == *value.number)
    value.type = DmlValue::Int;
  return true;
}

DmlValue Translation::valueOf(const Module &where, const Expr &expr,
                              StringRef type) {
  module = &where;
  Variables nothing;
  DmlValue value = evaluate(expr, nothing);
  if (!value.isUnknown() && !fitsParameter(value, type))
    return refuse((*expr).place, "a default that is no " + type);
  return value;
}

std::vector<DmlValue> Translation::callFunction(const Module &where,
                                                const Function &function,
                                                const CallArguments &given) {
  Variables arguments;
  size_t count = function.parameters.size();
  std::vector<DmlValue> none(std::max<size_t>(function.results.size(), 1));
  Place place = given.node.place;
  for (auto &[key, value] : given.named)
    if (llvm::none_of(function.parameters,
                      [&, key = key](auto &one) { return one.name == key; })) {
      refuse(place, "'" + function.name + "' has no parameter '" + key + "'");
      return none;
    }
  if (given.positional.size() > count) {
    refuse(place, "'" + function.name + "' has " + llvm::Twine(count) +
                      " parameters, not " +
                      llvm::Twine(given.positional.size()));
    return none;
  }
  for (auto [i, one] : llvm::enumerate(function.parameters)) {
    const DmlValue *value = given.find(one.name, i);
    Variables nothing;
    if (!value && !one.byDefault) {
      refuse(place, "parameter '" + one.name + "' of '" + function.name +
                        "' is not given");
      return none;
    }
    DmlValue taken = value ? *value : evaluate(one.byDefault, nothing);
    if (!taken.isUnknown() && !fitsParameter(taken, one.type)) {
      refuse(place, "parameter '" + one.name + "' of '" + function.name +
                        "' is no " + one.type);
      return none;
    }
    arguments[one.name] = std::move(taken);
  }
  return call(where, function, std::move(arguments));
}

std::vector<DmlValue> Translation::call(const Module &where,
                                        const Function &function,
                                        Variables arguments) {
  std::vector<DmlValue> results;
  if (depth >= mostCalls) {
    refuse(function.place,
           "calls are nested more than " + llvm::Twine(mostCalls) + " deep");
    results.resize(std::max<size_t>(function.results.size(), 1));
    return results;
  }
  ++depth;
  const Module *caller = std::exchange(module, &where);
  run(where, function.body, arguments);
  for (const Parameter &one : function.results) {
    auto found = arguments.find(one.name);
    results.push_back(found != arguments.end()
                          ? found->second
                          : refuse(function.place, "result '" + one.name +
                                                       "' is not assigned"));
  }
  module = caller;
  --depth;
  return results;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// An input of the graph, called as the variable.
DmlValue Translation::read(const CallArguments &call, StringRef target) {
  if (llvm::is_contained(inputs, target))
    return refuse(call.node.place, "'" + target + "' is read twice");
  inputs.push_back(target.str());
  auto sizeOf = [&](StringRef key) {
    const DmlValue *value = call.find(key, 100);
    return value && value->number ? int64_t(*value->number) : -1;
  };
  const DmlValue *kind = call.find("data_type", 100);
  if (kind && kind->text != "matrix" && kind->text != "scalar")
    return refuse(call.node.place, "read() of a " + kind->text);
  if (kind && kind->text == "scalar") {
    graph.addInput(target, graph.real(), {});
    return scalar(target.str(), DmlValue::Double);
  }
  DmlValue value = matrix(target.str(), sizeOf("rows"), sizeOf("cols"));
  if (auto found = inputSizes.find(target); found != inputSizes.end())
    std::tie(value.rows, value.columns) = found->second;
  graph.addInput(target, graph.real(), {value.rows, value.columns});
  return value;
}

void Translation::assign(const Statement &statement, Variables &variables) {
  const Expr::Node &target = *statement.target;
  const Expr::Node &value = *statement.value;
  if (target.kind == Expr::Kind::List) {
    if (value.kind != Expr::Kind::Call) {
      refuse(statement.place, "several variables for one value");
      return;
    }
    std::vector<DmlValue> results = evaluateCall(value, variables);
    for (auto [i, one] : llvm::enumerate(target.operands))
      variables[(*one).text] = i < results.size() ? results[i] : DmlValue();
    if (results.size() < target.operands.size())
      refuse(value.place, "'" + value.text + "' has " +
                              llvm::Twine(results.size()) + " results");
    return;
  }
  if (target.kind == Expr::Kind::Slice)
    return assignPart(target, evaluateNode(value, variables), variables);
  if (value.kind == Expr::Kind::Call && value.text == "read" && depth == 0) {
    CallArguments given{value, {}, {}};
    for (const Argument &one : value.arguments)
      if (!one.key.empty())
        given.named[one.key] = evaluate(one.value, variables);
    variables[target.text] = read(given, target.text);
    return;
  }
  DmlValue made = evaluateNode(value, variables);
  variables[target.text] = std::move(made);
}

/// write() is an output, print() nothing, stop() the end.
void Translation::runCall(const Statement &statement, Variables &variables) {
  const Expr::Node &node = *statement.value;
  if (node.text == "print")
    return;
  if (node.text == "stop") {
    refuse(node.place, "the script stops here");
    return;
  }
  if (node.text != "write") {
    evaluateCall(node, variables);
    return;
  }
  if (node.arguments.empty() || !node.arguments[0].value.isName() ||
      depth != 0) {
    refuse(node.place, "write() of what is no variable, or in a function");
    return;
  }
  std::string name = (*node.arguments[0].value).text;
  DmlValue value = evaluate(node.arguments[0].value, variables);
  if (llvm::any_of(outputs, [&](auto &one) { return one.name == name; }))
    refuse(node.place, "'" + name + "' is written twice");
  else if (!value.isUnknown())
    outputs.push_back({name, value});
}

/// What statements may assign is not known after them.
static void forget(const Body &body, Variables &variables) {
  for (const Statement &one : body) {
    if (one.kind == Statement::Kind::Assign &&
        (*one.target).kind == Expr::Kind::List)
      for (const Expr &each : (*one.target).operands)
        variables[(*each).text] = {};
    else if (one.kind == Statement::Kind::Assign)
      variables[one.target.isName() ? (*one.target).text
                                    : (*(*one.target).operands[0]).text] = {};
    forget(one.body, variables);
    forget(one.otherwise, variables);
  }
}

/// A check, which the model does not make.
static bool onlyStops(const Statement &statement) {
  auto stops = [](const Statement &one) {
    return one.kind == Statement::Kind::Call &&
           ((*one.value).text == "stop" || (*one.value).text == "print");
  };
  return statement.otherwise.empty() && llvm::all_of(statement.body, stops);
}

void Translation::choose(const Statement &statement, Variables &variables) {
  DmlValue condition = evaluate(statement.value, variables);
  if (condition.isScalar() && condition.number)
    return run(*module,
               *condition.number != 0 ? statement.body : statement.otherwise,
               variables);
  if (condition.isScalar() && onlyStops(statement))
    return;
  if (!condition.isUnknown())
    refuse(statement.place,
           condition.isScalar()
               ? "a condition that depends on values, or on sizes that are "
                 "not known"
               : "a condition that is no scalar");
  forget(statement.body, variables);
  forget(statement.otherwise, variables);
}

namespace {

/// The numbers of a loop; nothing if they are not known.
struct LoopRange {
  double first, last, step;
};

} // namespace

static std::optional<LoopRange>
rangeOf(const Expr::Node &node,
        llvm::function_ref<DmlValue(const Expr &)> evaluate) {
  llvm::SmallVector<double, 3> numbers;
  auto add = [&](const Expr &one) {
    DmlValue value = evaluate(one);
    if (value.number)
      numbers.push_back(*value.number);
  };
  for (const Expr &one : node.operands)
    add(one);
  for (const Argument &one : node.arguments)
    add(one.value);
  size_t count = node.operands.size() + node.arguments.size();
  if (numbers.size() != count || count < 2 || count > 3)
    return std::nullopt;
  double down = numbers[1] < numbers[0] ? -1 : 1;
  return LoopRange{numbers[0], numbers[1], count == 3 ? numbers[2] : down};
}

void Translation::loop(const Statement &statement, Variables &variables) {
  auto giveUp = [&](const llvm::Twine &why) {
    refuse(statement.place, why);
    forget(statement.body, variables);
  };
  auto evaluateOne = [&](const Expr &one) { return evaluate(one, variables); };
  if (statement.kind == Statement::Kind::While) {
    for (;;) {
      DmlValue condition = evaluate(statement.value, variables);
      if (!condition.isScalar() || !condition.number)
        return giveUp("a condition that depends on values, or on sizes that "
                      "are not known");
      if (*condition.number == 0)
        return;
      if (steps >= mostSteps || !refusals.empty())
        return giveUp("a loop of too many steps");
      run(*module, statement.body, variables);
    }
  }
  std::optional<LoopRange> range = rangeOf(*statement.value, evaluateOne);
  if (!range || range->step == 0)
    return giveUp("a loop whose numbers depend on values, or on sizes that are "
                  "not known");
  auto goesOn = [&](double i) {
    return range->step > 0 ? i <= range->last : i >= range->last;
  };
  for (double i = range->first; goesOn(i); i += range->step) {
    if (steps >= mostSteps)
      return giveUp("a loop of too many steps");
    variables[(*statement.target).text] = known(i, DmlValue::Int);
    run(*module, statement.body, variables);
  }
}

void Translation::run(const Module &where, const Body &body,
                      Variables &variables) {
  module = &where;
  for (const Statement &one : body) {
    ++steps;
    switch (one.kind) {
    case Statement::Kind::Assign:
      assign(one, variables);
      break;
    case Statement::Kind::Call:
      runCall(one, variables);
      break;
    case Statement::Kind::If:
      choose(one, variables);
      break;
    case Statement::Kind::For:
    case Statement::Kind::While:
      loop(one, variables);
      break;
    case Statement::Kind::Comment:
      break;
    }
  }
}
