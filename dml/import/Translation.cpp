//===- Translation.cpp - DML statements as ONNX nodes ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Translation.h"
#include "onnxfold/dml/import/internal/Parts.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

DmlValue Translation::evaluateName(const Expr::Node &node,
                                   Variables &variables) {
  StringRef name = node.text;
  if (name == "TRUE" || name == "FALSE")
    return DmlValue::known(name == "TRUE", DmlValue::Boolean);
  if (name == "pi")
    return DmlValue::known(3.14159265358979323846, DmlValue::Double);
  if (name.consume_front("$"))
    return ports.parameter(name);
  const DmlValue *value = variables.find(name);
  if (!value)
    return refuse(node.place, "'" + name + "' is not defined");
  if (value->isUnknown() && !value->text.empty())
    return refuse(node.place, "'" + name + "' " + value->text);
  return *value;
}

DmlValue Translation::evaluateNode(const Expr::Node &node,
                                   Variables &variables) {
  switch (node.kind) {
  case Expr::Kind::Number: {
    bool isInt = !node.isReal && std::trunc(node.number) == node.number &&
                 std::isfinite(node.number);
    return DmlValue::known(node.number,
                           isInt ? DmlValue::Int : DmlValue::Double);
  }
  case Expr::Kind::Text:
    return textValue(node.text);
  case Expr::Kind::Name:
    return evaluateName(node, variables);
  case Expr::Kind::Unary:
    return operators.unary(node.place, node.text,
                           evaluate(node.operands[0], variables));
  case Expr::Kind::Binary: {
    DmlValue left = evaluate(node.operands[0], variables);
    DmlValue right = evaluate(node.operands[1], variables);
    return operators.binary(node.place, node.text, left, right);
  }
  case Expr::Kind::Slice: {
    auto evaluateIndex = [&](const Expr &one) {
      return evaluate(one, variables);
    };
    DmlValue base = evaluate(node.operands[0], variables);
    return Parts(operators, emitter, refusals, evaluateIndex)
        .of(node, std::move(base));
  }
  case Expr::Kind::List: {
    DmlValue value;
    value.type = DmlValue::List;
    for (const Expr &one : node.operands)
      value.elements.push_back(evaluate(one, variables));
    return value;
  }
  case Expr::Kind::Call: {
    std::vector<DmlValue> results = evaluateCall(node, variables);
    return results.empty() ? DmlValue() : std::move(results.front());
  }
  }
  return {};
}

/// Of exists(x), or exists("x").
static bool isDefined(const Expr &name, const Variables &variables) {
  const DmlValue *value = variables.find((*name).text);
  return value && (!value->isUnknown() || value->text.empty());
}

/// SystemDS does not look at the names of their arguments.
static bool takesByOrder(StringRef function) {
  return function == "ifelse" || function == "table" || function == "ctable";
}

CallArguments Translation::argumentsOf(const Expr::Node &node,
                                       Variables &variables) {
  CallArguments given{node};
  given.positional.reserve(node.arguments.size());
  for (const Argument &one : node.arguments) {
    DmlValue value = evaluate(one.value, variables);
    if (one.key.empty() || takesByOrder(node.text))
      given.positional.push_back(std::move(value));
    else
      given.named[one.key] = std::move(value);
  }
  return given;
}

/// The input has the name of the variable that gets it, or what is made of it.
DmlValue Translation::read(const Expr::Node &call, Variables &variables) {
  if (depth != 0 || reading.empty() || flow.isInBody())
    return refuse(call.place,
                  depth != 0 ? "read() in a function, expected a parameter"
                  : reading.empty()
                      ? "read() outside of an assignment to one variable"
                      : "read() in a branch or a loop by values");
  CallArguments given{call};
  for (const Argument &one : call.arguments)
    if (!one.key.empty())
      given.named[one.key] = evaluate(one.value, variables);
    else if (one.value.isName() &&
             StringRef((*one.value).text).starts_with("$"))
      given.positional.push_back(
          ports.fileOf(StringRef((*one.value).text).drop_front()));
    else
      given.positional.push_back(evaluate(one.value, variables));
  return ports.read(given, reading);
}

std::vector<DmlValue> Translation::evaluateCall(const Expr::Node &node,
                                                Variables &variables) {
  if (node.text == "read" && !module->function("read"))
    return {read(node, variables)};
  if (node.text == "ifdef" && node.arguments.size() == 2) {
    DmlValue byDefault = evaluate(node.arguments[1].value, variables);
    return {ports.parameter(node.arguments[0].value, std::move(byDefault))};
  }
  if (node.text == "exists" && node.arguments.size() == 1 &&
      (node.arguments[0].value.isName() ||
       node.arguments[0].value.kind() == Expr::Kind::Text))
    return {DmlValue::known(isDefined(node.arguments[0].value, variables),
                            DmlValue::Boolean)};
  CallArguments given = argumentsOf(node, variables);
  if (node.text == "eval" && !module->function("eval"))
    return {callNamed(given)};
  return callByName(given);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Translation::assign(const Statement &statement, Variables &variables) {
  const Expr::Node &target = *statement.target;
  const Expr::Node &value = *statement.value;
  auto evaluateOne = [&](const Expr &one) { return evaluate(one, variables); };
  if (target.kind == Expr::Kind::List) {
    if (value.kind != Expr::Kind::Call) {
      refuse(statement.place, "several variables for one value");
      return;
    }
    std::vector<DmlValue> results = evaluateCall(value, variables);
    for (auto [i, one] : llvm::enumerate(target.operands))
      variables[(*one).text] = i < results.size() ? results[i] : DmlValue();
    // What was refused has one result, which is unknown.
    bool isRefused = !results.empty() && results.front().isUnknown();
    if (results.size() < target.operands.size() && !isRefused)
      refuse(value.place, "'" + value.text + "' has " +
                              llvm::Twine(results.size()) + " results");
    return;
  }
  if (target.kind == Expr::Kind::Slice) {
    DmlValue part = evaluateNode(value, variables);
    DmlValue base = evaluate(target.operands[0], variables);
    variables[(*target.operands[0]).text] =
        Parts(operators, emitter, refusals, evaluateOne)
            .assigned(target, base, part);
    return;
  }
  StringRef outer = std::exchange(reading, target.text);
  DmlValue made = evaluateNode(value, variables);
  reading = outer;
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
      depth != 0 || flow.isInBody()) {
    refuse(node.place,
           "write() of something that is not a variable, or in a function, or "
           "in a branch or a loop by values");
    return;
  }
  ports.write(node, evaluate(node.arguments[0].value, variables));
}

void Translation::run(const Body &body, Variables &variables) {
  for (const Statement &one : body) {
    steps.add();
    switch (one.kind) {
    case Statement::Kind::Assign:
      assign(one, variables);
      break;
    case Statement::Kind::Call:
      runCall(one, variables);
      break;
    case Statement::Kind::If:
      flow.choose(one, variables);
      break;
    case Statement::Kind::For:
    case Statement::Kind::While:
      flow.loop(one, variables);
      break;
    case Statement::Kind::Comment:
      break;
    }
  }
}

void Translation::runScript(const Module &script) {
  enter(&script);
  frame = {&script.script.main, nullptr};
  Variables variables;
  run(script.script.main, variables);
}

const llvm::StringMap<unsigned> &Translation::reads() {
  auto [counted, isNew] = readCounts.try_emplace(frame.body);
  if (isNew) {
    countReads(*frame.body, counted->second);
    if (frame.results)
      for (const Parameter &one : *frame.results)
        ++counted->second[one.name];
  }
  return counted->second;
}
