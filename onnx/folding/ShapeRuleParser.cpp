//===- ShapeRuleParser.cpp - The text of a shape rule ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/internal/ShapeRule.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/StatementReader.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace onnxfold;
using llvm::StringRef;

DataType onnxfold::elementTypeOfName(StringRef name) {
  onnx::TensorProto::DataType type;
  if (name.empty() || name.lower() != name ||
      !onnx::TensorProto::DataType_Parse(name.upper(), &type))
    return DataType::Undefined;
  return DataType(type);
}

namespace {

class RuleParser : private StatementReader {
public:
  RuleParser(StringRef text, const AttributeDefaults &attributes)
      : StatementReader(text, Lines::AreSpace), attributes(attributes) {
    advance();
  }

  llvm::Expected<ShapeRule> rule();

private:
  void refuse(size_t at, const llvm::Twine &expected) override;

  std::vector<ValuePattern> values(bool isInput);
  ValuePattern value(bool isInput);
  std::string elementType();
  std::vector<ShapeItem> shape(bool isInput);
  ShapeItem item(bool isInput);
  ShapeItem broadcast();
  ShapeItem run(std::string runName);
  LikeOperator like();
  std::vector<FormCondition> conditions();
  FormCondition condition();

  DimTerm term();    // a | b
  DimTerm sum();     // a + b - c
  DimTerm product(); // a * b / c
  DimTerm factor();
  DimTerm call(StringRef function);
  DimTerm make(DimTerm::Kind kind, DimTerm left, DimTerm right);
  void checkInput(StringRef inputName);

  const AttributeDefaults &attributes;
  std::vector<std::string> inputNames;
  llvm::StringMap<bool> runNames; // those that inputs bind
  std::string problem;
  unsigned depth = 0;     // of parentheses
  unsigned operators = 0; // between numbers
};

} // namespace

void RuleParser::refuse(size_t at, const llvm::Twine &expected) {
  std::string found = "the end";
  if (!token.empty())
    found = ("'" + token + "' (character " + llvm::Twine(at + 1) + ")").str();
  problem = ("'" + all + "': at " + found + ", expected " + expected).str();
}

/// Checks the input that has(...) or value(...) names.
void RuleParser::checkInput(StringRef inputName) {
  if (!hasFailed() && !llvm::is_contained(inputNames, inputName))
    fail("the name of an input before, not '" + inputName + "'");
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A sum of many is as deep as it is long, and evaluated and freed by calls in
/// calls.
DimTerm RuleParser::make(DimTerm::Kind kind, DimTerm left, DimTerm right) {
  constexpr unsigned mostOperators = 1000;
  if (++operators > mostOperators)
    fail("at most " + llvm::Twine(mostOperators) + " operators in a form");
  DimTerm result;
  result.kind = kind;
  result.operands.push_back(std::move(left));
  result.operands.push_back(std::move(right));
  return result;
}

DimTerm RuleParser::term() {
  DimTerm result = sum();
  while (consume("|"))
    result = make(DimTerm::OrElse, std::move(result), sum());
  return result;
}

DimTerm RuleParser::sum() {
  DimTerm result = product();
  while (token == "+" || token == "-") {
    DimTerm::Kind kind = token == "+" ? DimTerm::Add : DimTerm::Subtract;
    advance();
    result = make(kind, std::move(result), product());
  }
  return result;
}

DimTerm RuleParser::product() {
  DimTerm result = factor();
  while (token == "*" || token == "/") {
    DimTerm::Kind kind = token == "*" ? DimTerm::Multiply : DimTerm::Divide;
    advance();
    result = make(kind, std::move(result), factor());
  }
  return result;
}

DimTerm RuleParser::call(StringRef function) {
  DimTerm result;
  expect("(");
  if (function == "min" || function == "max") {
    DimTerm left = term();
    expect(",");
    result = make(function == "min" ? DimTerm::Minimum : DimTerm::Maximum,
                  std::move(left), term());
  } else if (function == "rank") {
    result.kind = DimTerm::Rank;
    result.name = name("the name of a run or of a list");
  } else { // value
    result.kind = DimTerm::Value;
    result.name = name("the name of an input");
    checkInput(result.name);
    if (consume(","))
      result.operands.push_back(term());
  }
  expect(")");
  return result;
}

DimTerm RuleParser::factor() {
  DimTerm result;
  constexpr unsigned deepest = 32;
  if (depth == deepest)
    fail("fewer parentheses in each other");
  llvm::SaveAndRestore deeper(depth, std::min(depth + 1, deepest));
  if (consume("_"))
    return result;
  if (consume("(")) {
    result = term();
    expect(")");
    return result;
  }
  if (consume("-")) {
    DimTerm zero;
    zero.kind = DimTerm::Number;
    return make(DimTerm::Subtract, std::move(zero), factor());
  }
  if (!token.getAsInteger(10, result.number)) {
    result.kind = DimTerm::Number;
    advance();
    return result;
  }
  std::string first = name("a number, a name, '_' or '('");
  static constexpr StringRef functions[] = {"min", "max", "rank", "value"};
  if (token == "(" && llvm::is_contained(functions, first))
    return call(first);
  result.name = std::move(first);
  result.kind = consume("[") ? DimTerm::Element : DimTerm::Name;
  if (result.kind == DimTerm::Element) {
    result.operands.push_back(term());
    expect("]");
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// After the name: `...`, or `[begin:end]...`.
ShapeItem RuleParser::run(std::string runName) {
  ShapeItem result;
  result.kind = ShapeItem::Run;
  if (consume("[")) {
    result.kind = ShapeItem::Slice;
    if (token != ":")
      result.begin = term();
    expect(":");
    if (token != "]")
      result.end = term();
    expect("]");
  }
  expect("...");
  if (!hasFailed() && !runNames.contains(runName))
    fail("the name of a run of an input before, not '" + runName + "'");
  result.names.push_back(std::move(runName));
  return result;
}

ShapeItem RuleParser::broadcast() {
  ShapeItem result;
  result.kind = ShapeItem::Broadcast;
  expect("(");
  do {
    std::string runName = name("the name of a run");
    result.names.push_back(run(std::move(runName)).names.front());
  } while (consume(","));
  expect(")");
  return result;
}

ShapeItem RuleParser::item(bool isInput) {
  if (isInput && isName() && rest.ltrim().starts_with("...")) {
    ShapeItem result;
    result.kind = ShapeItem::Run;
    result.names.push_back(token.str());
    runNames[token] = true;
    advance();
    expect("...");
    return result;
  }
  ShapeItem result;
  if (isInput) {
    if (isName()) {
      result.term.kind = DimTerm::Name;
      result.term.name = name("a name");
    } else if (!token.getAsInteger(10, result.term.number)) {
      result.term.kind = DimTerm::Number;
      advance();
    } else if (!consume("_")) {
      fail("a name, a number, '_' or name...");
    }
    return result;
  }
  if (token == "broadcast") {
    advance();
    return broadcast();
  }
  // A run, or a slice of one: 'x...', 'x[a:b]...'; what else begins like a
  // slice is an element.
  if (isName() && runNames.contains(token)) {
    StringRef after = rest.ltrim();
    bool isSlice =
        after.starts_with("[") &&
        after.take_until([](char c) { return c == ']'; }).contains(':');
    if (isSlice || after.starts_with("..."))
      return run(name("a name"));
  }
  result.term = term();
  return result;
}

std::vector<ShapeItem> RuleParser::shape(bool isInput) {
  std::vector<ShapeItem> result;
  expect("[");
  if (consume("]"))
    return result;
  do {
    result.push_back(item(isInput));
  } while (!hasFailed() && consume(","));
  expect("]");
  if (isInput && llvm::count_if(result, [](const ShapeItem &part) {
                   return part.kind == ShapeItem::Run;
                 }) > 1)
    fail("one run in the shape of an input");
  return result;
}

std::string RuleParser::elementType() {
  if (consume("type")) {
    expect("(");
    std::string attribute = name("the name of an attribute");
    if (!hasFailed() && !attributes.contains(attribute))
      fail("an attribute that 'attributes' has, not '" + attribute + "'");
    expect(")");
    return "type(" + attribute + ")";
  }
  std::string result = name("an element type or '['");
  if (!result.empty() && !llvm::isUpper(result[0]) &&
      elementTypeOfName(result) == DataType::Undefined)
    fail("an element type of ONNX, or a variable (upper case), not '" + result +
         "'");
  return result;
}

ValuePattern RuleParser::value(bool isInput) {
  ValuePattern result;
  result.name = name(isInput ? "the name of an input" : "the name of a result");
  result.isOptional = isInput && consume("?");
  result.isVariadic = isInput && consume("...");
  if (isInput)
    inputNames.push_back(result.name);
  if (!consume(":"))
    return result;
  if (token != "[")
    result.type = elementType();
  if (token == "[")
    result.shape = shape(isInput);
  return result;
}

std::vector<ValuePattern> RuleParser::values(bool isInput) {
  std::vector<ValuePattern> result;
  if (isInput && token == "->")
    return result;
  do {
    if (!result.empty() && result.back().isVariadic)
      fail("no input after one with '...'");
    result.push_back(value(isInput));
  } while (!hasFailed() && consume(","));
  return result;
}

/// After `as`.
LikeOperator RuleParser::like() {
  LikeOperator result;
  result.opType = name("an operator of ONNX");
  if (consume("@")) {
    if (token.getAsInteger(10, result.opset) || result.opset < 1)
      fail("an opset");
    advance();
  }
  int64_t opset = result.opset ? result.opset : latestOpset("");
  if (!hasFailed() && !resolveSince("", result.opType, opset))
    fail("an operator of ONNX that opset " + llvm::Twine(opset) +
         " has, not '" + result.opType + "'");
  expect("(");
  do {
    LikeOperator::Input input{name("the name of an input")};
    checkInput(input.name);
    if (consume("...")) {
      input.step = 1;
      if (consume("/")) {
        if (token.getAsInteger(10, input.step) || input.step < 1)
          fail("a number above 0");
        advance();
      }
    }
    result.inputs.push_back(std::move(input));
  } while (!hasFailed() && consume(","));
  expect(")");
  result.isChannelsLast = consume("channels_last");
  return result;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

FormCondition RuleParser::condition() {
  FormCondition result;
  bool isNegated = consume("not");
  if (isNegated || token == "has") {
    expect("has");
    expect("(");
    result.kind = isNegated ? FormCondition::HasNot : FormCondition::Has;
    result.name = name("the name of an input");
    checkInput(result.name);
    expect(")");
    return result;
  }
  result.left = term();
  StringRef comparison = token;
  bool isTurned = comparison == ">" || comparison == ">=";
  if (comparison == "==")
    result.kind = FormCondition::Equal;
  else if (comparison == "!=")
    result.kind = FormCondition::Unequal;
  else if (comparison == "<" || comparison == ">")
    result.kind = FormCondition::Less;
  else if (comparison == "<=" || comparison == ">=")
    result.kind = FormCondition::LessEqual;
  else
    fail("a comparison");
  advance();
  result.right = term();
  if (isTurned)
    std::swap(result.left, result.right);
  return result;
}

std::vector<FormCondition> RuleParser::conditions() {
  std::vector<FormCondition> result;
  do {
    result.push_back(condition());
  } while (!hasFailed() && consume("and"));
  return result;
}

static llvm::Error textError(const std::string &problem) {
  return llvm::createStringError(problem);
}

llvm::Expected<ShapeRule> RuleParser::rule() {
  ShapeRule result;
  result.inputs = values(/*isInput=*/true);
  expect("->");
  result.results = values(/*isInput=*/false);
  if (consume("as"))
    result.like = like();
  if (consume("if"))
    result.conditions = conditions();
  if (!token.empty())
    fail("',', 'as', 'if' or the end");
  if (hasFailed())
    return textError(problem);
  return result;
}

llvm::Expected<ShapeRule>
ShapeRule::parse(StringRef text, const AttributeDefaults &attributes) {
  return RuleParser(text, attributes).rule();
}
