//===- Translation.cpp - DML statements as ONNX nodes ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

/// Of calls in calls; of statements before a call, of all iterations and calls.
constexpr unsigned mostCalls = 100, mostStatements = 1000000;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

DmlValue Translation::evaluate(const Expr &expr, Variables &variables) {
  return evaluateNode(*expr, variables);
}

DmlValue onnxfold::dml::textValue(StringRef text) {
  DmlValue value;
  value.type = DmlValue::Text;
  value.text = text.str();
  return value;
}

/// $name: what --bind says, or a text that is not known.
static DmlValue valueOfParameter(const llvm::StringMap<std::string> &bound,
                                 StringRef name) {
  auto found = bound.find(name);
  DmlValue value = textValue(found == bound.end() ? "" : found->second);
  if (found == bound.end()) {
    value.isOpenText = value.isParameter = true;
    value.parameter = name.str();
    return value;
  }
  double number;
  bool isTruth = value.text == "TRUE" || value.text == "FALSE";
  if (!isTruth && StringRef(value.text).getAsDouble(number))
    return value;
  bool isInt =
      !isTruth && StringRef(value.text).find_first_of(".eE") == StringRef::npos;
  value.number = isTruth ? value.text == "TRUE" : number;
  value.type = isTruth ? DmlValue::Boolean
               : isInt ? DmlValue::Int
                       : DmlValue::Double;
  value.text.clear();
  return value;
}

DmlValue Translation::evaluateName(const Expr::Node &node,
                                   Variables &variables) {
  StringRef name = node.text;
  if (name == "TRUE" || name == "FALSE")
    return known(name == "TRUE", DmlValue::Boolean);
  if (name == "pi")
    return known(3.14159265358979323846, DmlValue::Double);
  if (name.consume_front("$"))
    return valueOfParameter(parameters, name);
  auto found = variables.find(name);
  if (found == variables.end())
    return refuse(node.place, "'" + name + "' is not defined");
  const DmlValue &value = found->second;
  if (value.isUnknown() && !value.text.empty())
    return refuse(node.place, "'" + name + "' " + value.text);
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
  case Expr::Kind::Name:
    return evaluateName(node, variables);
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

/// ifdef($name, default): what --bind says, or the default.
DmlValue Translation::parameterOf(const Expr::Node &node,
                                  Variables &variables) {
  DmlValue value = evaluate(node.arguments[1].value, variables);
  const Expr &name = node.arguments[0].value;
  auto bound = name.isName() ? parameters.find((*name).text.substr(1))
                             : parameters.end();
  if (bound == parameters.end()) {
    value.isParameter = value.type == DmlValue::Text;
    return value;
  }
  StringRef text = bound->second;
  double number;
  if (value.type == DmlValue::Boolean && (text == "TRUE" || text == "FALSE"))
    return known(text == "TRUE", DmlValue::Boolean);
  if (value.type == DmlValue::Text || text.getAsDouble(number))
    return textValue(text);
  return known(number,
               value.type == DmlValue::Int && number == std::trunc(number)
                   ? DmlValue::Int
                   : DmlValue::Double);
}

/// Of exists(x).
static bool isDefined(const Expr &name, const Variables &variables) {
  auto found = variables.find((*name).text);
  return found != variables.end() &&
         (!found->second.isUnknown() || found->second.text.empty());
}

/// SystemDS does not look at the names of their arguments.
static bool takesByOrder(StringRef function) {
  return function == "ifelse" || function == "table" || function == "ctable";
}

std::vector<DmlValue> Translation::evaluateCall(const Expr::Node &node,
                                                Variables &variables) {
  if (node.text == "ifdef" && node.arguments.size() == 2)
    return {parameterOf(node, variables)};
  if (node.text == "exists" && node.arguments.size() == 1 &&
      node.arguments[0].value.isName())
    return {known(isDefined(node.arguments[0].value, variables),
                  DmlValue::Boolean)};
  CallArguments given{node, {}, {}};
  given.positional.reserve(node.arguments.size());
  for (const Argument &one : node.arguments) {
    DmlValue value = evaluate(one.value, variables);
    if (one.key.empty() || takesByOrder(node.text))
      given.positional.push_back(std::move(value));
    else
      given.named[one.key] = std::move(value);
  }
  if (node.text == "eval" && !functionIn(*module, "eval"))
    return {callNamed(given)};
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
  return builtin(given);
}

/// A builtin function that is written in DML: m_, s_ or f_ and its name.
std::optional<std::vector<DmlValue>>
Translation::callScript(StringRef name, const CallArguments &given) {
  llvm::Expected<const Module *> script = findScript(name);
  if (!script)
    return std::vector{
        refuse(given.node.place, llvm::toString(script.takeError()))};
  if (!*script)
    return std::nullopt;
  for (StringRef prefix : {"m_", "s_", "f_", ""}) {
    const Function *function = functionIn(**script, (prefix + name).str()),
                   *each =
                       functionIn(**script, (prefix + name + "_each").str());
    if (function && each && !given.positional.empty() &&
        given.positional.back().isMatrix())
      function = each; // of several numbers, which are the last argument
    if (function)
      return callFunction(**script, *function, given);
  }
  return std::nullopt;
}

DmlValue Translation::callNamed(const CallArguments &given) {
  const DmlValue *name = given.find("", 0);
  Place place = given.node.place;
  if (!name || name->type != DmlValue::Text || name->isOpenText)
    return refuse(place, "eval() of a name that is not known");
  CallArguments inner{given.node, given.positional, given.named};
  inner.positional.erase(inner.positional.begin());
  // A list has the arguments in it.
  if (inner.positional.size() == 1 && inner.named.empty() &&
      inner.positional.front().type == DmlValue::List) {
    DmlValue list = std::move(inner.positional.front());
    inner.positional.clear();
    for (auto [i, one] : llvm::enumerate(list.elements))
      if (i < list.keys.size() && !list.keys[i].empty())
        inner.named[list.keys[i]] = one;
      else
        inner.positional.push_back(one);
  }
  std::optional<std::vector<DmlValue>> results;
  if (const Function *function = functionIn(*module, name->text))
    results = callFunction(*module, *function, inner);
  else
    results = callScript(name->text, inner);
  if (!results)
    return refuse(place,
                  "eval() of '" + name->text + "', which is no function");
  if (results->empty())
    return refuse(place, "eval() of '" + name->text + "', which has no result");
  DmlValue &result = results->front();
  if (!result.isScalar())
    return result;
  CallArguments one{given.node, {result}, {}};
  return asMatrix({*this, one});
}

DmlValue Translation::callOwn(StringRef file, StringRef function,
                              const CallArguments &given) {
  const Module &script = *llvm::cantFail(findScript(file));
  return callFunction(script, *functionIn(script, function), given).front();
}

/// Numbers as the type of a parameter says.
static bool fitsParameter(DmlValue &value, StringRef type) {
  if (type.starts_with("matrix"))
    return value.isMatrix();
  if (type.starts_with("frame"))
    return value.type == DmlValue::Frame;
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
    if (one.type != "string" && isMissing(place, taken))
      taken = {};
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
  if (depth >= mostCalls || steps >= mostStatements) {
    refuse(function.place, depth >= mostCalls
                               ? "calls are nested more than " +
                                     std::to_string(mostCalls) + " deep"
                               : "calls of too many statements");
    results.resize(std::max<size_t>(function.results.size(), 1));
    return results;
  }
  ++depth;
  const Module *caller = std::exchange(module, &where);
  Frame outer = std::exchange(frame, {&function.body, &function.results});
  run(where, function.body, arguments);
  for (const Parameter &one : function.results) {
    auto found = arguments.find(one.name);
    results.push_back(found != arguments.end()
                          ? found->second
                          : unreadable("is a result '" + one.name + "' of '" +
                                       function.name +
                                       "' that is not assigned"));
  }
  frame = outer;
  module = caller;
  --depth;
  return results;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// An input of the graph, called as the variable; or a file of constants, if the
/// script says where it is.
DmlValue Translation::read(const CallArguments &call, StringRef target) {
  Place place = call.node.place;
  if (bodies > 0)
    return refuse(place, "read() in a branch or a loop by values");
  for (StringRef key : {"rows", "cols"})
    if (const DmlValue *value = call.find(key, 100);
        value && !value->mayCount())
      return refuse(place, "read(): " + key + " is not a size");
  auto sizeOf = [&](StringRef key) {
    const DmlValue *value = call.find(key, 100);
    return value ? value->size() : -1;
  };
  DmlValue value = matrix(target.str(), sizeOf("rows"), sizeOf("cols"));
  const DmlValue *kind = call.find("data_type", 100);
  if (kind && kind->text != "matrix" && kind->text != "scalar")
    return refuse(place, "read() of a " + kind->text);
  bool isScalar = kind && kind->text == "scalar";
  const DmlValue *file = call.find("", 0);
  if (!isScalar && file && file->type == DmlValue::Text && !file->isOpenText &&
      !file->isParameter && readFile) {
    llvm::Expected<std::optional<DmlValue>> constants =
        readFile(file->text, value.rows, value.columns);
    if (!constants)
      return refuse(place, llvm::toString(constants.takeError()));
    if (*constants)
      return **constants;
    if (file->isBound)
      return refuse(place, "there is no file '" + file->text +
                               "', which the parameter is bound to");
  }
  if (llvm::is_contained(inputs, target))
    return refuse(place, "'" + target + "' is read twice");
  inputs.push_back(target.str());
  if (isScalar) {
    graph.addInput(target, graph.real(), {});
    return scalar(target.str(), DmlValue::Double);
  }
  if (auto found = inputSizes.find(target); found != inputSizes.end())
    std::tie(value.rows, value.columns) = found->second;
  graph.addInput(target, graph.real(), {value.rows, value.columns});
  return value;
}

/// read($name)
DmlValue Translation::fileOf(StringRef parameter) {
  auto bound = parameters.find(parameter);
  DmlValue value = textValue(bound == parameters.end() ? "" : bound->second);
  value.isParameter = bound == parameters.end();
  value.isBound = !value.isParameter;
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
      else if (one.value.kind() == Expr::Kind::Name &&
               StringRef((*one.value).text).starts_with("$"))
        given.positional.push_back(
            fileOf(StringRef((*one.value).text).drop_front()));
      else
        given.positional.push_back(evaluate(one.value, variables));
    variables[target.text] = read(given, target.text);
    return;
  }
  DmlValue made = evaluateNode(value, variables);
  variables[target.text] = std::move(made);
}

/// write() is an output, print() nothing, stop() the end.
void Translation::runCall(const Statement &statement, Variables &variables) {
  const Expr::Node &node = *statement.value;
  if (node.text == "print" || node.text == "assert")
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
      depth != 0 || bodies != 0) {
    refuse(node.place,
           "write() of something that is not a variable, or in a function, or "
           "in a branch or a loop by values");
    return;
  }
  StringRef name = (*node.arguments[0].value).text;
  DmlValue value = evaluate(node.arguments[0].value, variables);
  if (llvm::any_of(outputs, [&](auto &one) { return one.name == name; }))
    refuse(node.place, "'" + name + "' is written twice");
  else if (value.isPartial)
    refuse((*node.arguments[0].value).place,
           "'" + name + "' is assigned on one path only");
  else if (!value.isUnknown())
    outputs.push_back({name.str(), value});
}

void Translation::run(const Module &where, const Body &body,
                      Variables &variables) {
  module = &where;
  if (!frame.body)
    frame.body = &body;
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
