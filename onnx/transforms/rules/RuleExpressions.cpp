//===- RuleExpressions.cpp - The conditions of a rule's header ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/internal/HeaderReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace onnxfold;
using llvm::StringRef;

RuleTerm HeaderReader::truth(RuleTerm term) {
  if (!hasFailed() && !term.isTruth())
    fail("a condition before this, not a number");
  return term;
}

RuleTerm HeaderReader::numeric(RuleTerm term) {
  if (!hasFailed() && term.isTruth())
    fail("a number before this, not a condition");
  return term;
}

RuleTerm HeaderReader::make(RuleTerm::Kind kind, RuleTerm left,
                            RuleTerm right) {
  constexpr unsigned mostOperators = 500;
  if (++operators > mostOperators)
    fail("at most " + llvm::Twine(mostOperators) + " operators in a header");
  RuleTerm result;
  result.kind = kind;
  result.operands.push_back(std::move(left));
  result.operands.push_back(std::move(right));
  return result;
}

RuleTerm HeaderReader::disjunction() {
  RuleTerm result = conjunction();
  while (consume("or"))
    result = make(RuleTerm::Or, truth(std::move(result)), truth(conjunction()));
  return result;
}

RuleTerm HeaderReader::conjunction() {
  RuleTerm result = negation();
  while (consume("and"))
    result = make(RuleTerm::And, truth(std::move(result)), truth(negation()));
  return result;
}

RuleTerm HeaderReader::negation() {
  constexpr unsigned deepest = 32;
  if (depth == deepest)
    fail("fewer operators in each other");
  llvm::SaveAndRestore deeper(depth, std::min(depth + 1, deepest));
  if (!consume("not"))
    return comparison();
  RuleTerm inner = truth(negation());
  return make(RuleTerm::Not, std::move(inner), {});
}

RuleTerm HeaderReader::comparison() {
  RuleTerm left = sum();
  StringRef sign = token;
  bool isTurned = sign == ">" || sign == ">=";
  RuleTerm::Kind kind = sign == "=="                   ? RuleTerm::Equal
                        : sign == "!="                 ? RuleTerm::Unequal
                        : sign == "<" || sign == ">"   ? RuleTerm::Less
                        : sign == "<=" || sign == ">=" ? RuleTerm::LessEqual
                                                       : RuleTerm::Integer;
  if (sign == "=")
    fail("'=='");
  if (kind == RuleTerm::Integer)
    return left;
  advance();
  left = numeric(std::move(left));
  RuleTerm right = numeric(sum());
  if (isTurned)
    std::swap(left, right);
  return make(kind, std::move(left), std::move(right));
}

RuleTerm HeaderReader::sum() {
  RuleTerm result = product();
  while (token == "+" || token == "-") {
    RuleTerm::Kind kind = token == "+" ? RuleTerm::Add : RuleTerm::Subtract;
    advance();
    result = make(kind, numeric(std::move(result)), numeric(product()));
  }
  return result;
}

RuleTerm HeaderReader::product() {
  RuleTerm result = factor();
  while (token == "*" || token == "/" || token == "%") {
    RuleTerm::Kind kind = token == "*"   ? RuleTerm::Multiply
                          : token == "/" ? RuleTerm::Divide
                                         : RuleTerm::Remainder;
    advance();
    result = make(kind, numeric(std::move(result)), numeric(factor()));
  }
  return result;
}

namespace {
/// A function of values and numbers.
struct OfValue {
  StringRef name;
  RuleTerm::Kind kind;
  unsigned values, numbers; // its arguments
};
} // namespace

static constexpr OfValue functionsOfValues[] = {
    {"rank", RuleTerm::Rank, 1, 0},
    {"size", RuleTerm::Size, 1, 0},
    {"dim", RuleTerm::Dim, 1, 1},
    {"value", RuleTerm::Value, 1, 1},
    {"constant", RuleTerm::Constant, 1, 0},
    {"once", RuleTerm::Once, 1, 0},
    {"finite", RuleTerm::Finite, 1, 0},
    {"between", RuleTerm::Between, 1, 2},
    {"halves_equal", RuleTerm::HalvesEqual, 1, 0},
    {"same_shape", RuleTerm::SameShape, 2, 0},
    {"same_type", RuleTerm::SameType, 2, 0},
    {"like", RuleTerm::Like, 2, 0},
    {"broadcasts", RuleTerm::Broadcasts, 2, 0},
    {"wider", RuleTerm::Wider, 2, 0},
    {"min", RuleTerm::Minimum, 0, 2},
    {"max", RuleTerm::Maximum, 0, 2}};

static const OfValue *findFunction(StringRef name) {
  auto found = llvm::find_if(
      functionsOfValues, [&](const OfValue &one) { return one.name == name; });
  return found == std::end(functionsOfValues) ? nullptr : found;
}

static bool asksAttribute(StringRef function) {
  return function == "given" || function == "length";
}

RuleTerm HeaderReader::call(StringRef function) {
  RuleTerm result;
  expect("(");
  if (asksAttribute(function)) {
    std::optional<unsigned> attribute = findAttribute(token);
    result.kind = function == "length" ? RuleTerm::Length
                  : attribute          ? RuleTerm::GivenAttribute
                                       : RuleTerm::Given;
    if (attribute)
      advance();
    result.index = attribute             ? *attribute
                   : function == "given" ? value("a parameter or an attribute")
                                         : (fail("an attribute"), 0);
    expect(")");
    return result;
  }
  const OfValue *found = findFunction(function);
  result.kind = found->kind;
  for (unsigned i = 0; i < found->values; ++i) {
    if (i != 0)
      expect(",");
    (i == 0 ? result.index : result.other) = value("a value of the rule");
  }
  for (unsigned i = 0; i < found->numbers; ++i) {
    if (result.kind == RuleTerm::Value && token == ")")
      break; // the first element
    if (found->values + i != 0)
      expect(",");
    result.operands.push_back(numeric(sum()));
  }
  expect(")");
  return result;
}

RuleTerm HeaderReader::named(std::string name) {
  RuleTerm result;
  if (token == "(" && (asksAttribute(name) || findFunction(name)))
    return call(name);
  if (std::optional<unsigned> attribute = findAttribute(name)) {
    result.kind = consume("[") ? RuleTerm::Element : RuleTerm::Attribute;
    result.index = *attribute;
    if (result.kind == RuleTerm::Element) {
      result.operands.push_back(numeric(sum()));
      expect("]");
    }
    return result;
  }
  result.kind = RuleTerm::Dimension;
  result.name = std::move(name);
  if (hasFailed() || isDimension(result.name))
    return result;
  bool isValue = llvm::any_of(rule.values, [&](const RuleValue &value) {
    return value.name == result.name;
  });
  fail("an attribute, a dimension of a shape before, or a function, before "
       "this, not '" +
       result.name +
       (isValue ? "', which is a value: value(" + result.name + "), rank(" +
                      result.name + ") and the like are numbers of it"
                : "'"));
  return result;
}

RuleTerm HeaderReader::factor() {
  RuleTerm result;
  constexpr unsigned deepest = 32;
  if (depth == deepest)
    fail("fewer parentheses in each other");
  llvm::SaveAndRestore deeper(depth, std::min(depth + 1, deepest));
  if (consume("(")) {
    result = disjunction();
    expect(")");
    return result;
  }
  if (consume("-"))
    return make(RuleTerm::Subtract, {}, numeric(factor()));
  if (token.size() >= 2 && token.front() == '\'') {
    result.kind = RuleTerm::Text;
    result.name = token.drop_front().drop_back().str();
    advance();
    return result;
  }
  if (!token.getAsInteger(10, result.integer)) {
    advance();
    return result;
  }
  if (!token.empty() && llvm::isDigit(token[0]) &&
      !token.getAsDouble(result.real)) {
    result.kind = RuleTerm::Real;
    advance();
    return result;
  }
  std::string first = name("a number, a name or '('");
  return hasFailed() ? result : named(std::move(first));
}
