//===- Operators.cpp - Operators of DML as nodes --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Operators.h"
#include "onnxfold/dml/import/internal/ScalarOperator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold::dml;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// As ScalarOperator::wholeQuotient().
static std::string wholeQuotient(OnnxGraph &graph, const std::string &x,
                                 const std::string &y) {
  std::string quotient = graph.node("Div", {x, y}),
              size = graph.node("Abs", {quotient}),
              wide = graph.number(ScalarOperator::ofWhole),
              up = graph.node("Add", {size, wide}),
              whole = graph.node("Floor", {up}),
              most = graph.number(ScalarOperator::mostWhole),
              cut = graph.node("Min", {whole, most}),
              sign = graph.node("Sign", {quotient}),
              isInfinite = graph.node("IsInf", {quotient});
  return graph.node("Where",
                    {isInfinite, quotient, graph.node("Mul", {sign, cut})});
}

/// What SystemDS computes, which is not fmod: 3 %% 0.6 is 0.
static std::string remainder(OnnxGraph &graph, const std::string &x,
                             const std::string &y) {
  std::string multiple = graph.node("Mul", {wholeQuotient(graph, x, y), y});
  return graph.node("Sub", {x, multiple});
}

DmlValue Operators::ofMatrices(StringRef op, const DmlValue &a,
                               const DmlValue &b) {
  ScalarOperator of(op);
  auto joined = [](int64_t x, int64_t y) { return y > 1 || x == 1 ? y : x; };
  const DmlValue &sized = a.isMatrix() ? a : b;
  DmlValue result = DmlValue::matrix("", sized.rows, sized.columns);
  if (a.isMatrix() && b.isMatrix()) {
    result.rows = joined(a.rows, b.rows);
    result.columns = joined(a.columns, b.columns);
  }
  auto operand = [&](const DmlValue &one, const DmlValue &other) {
    bool isSize = one.type == DmlValue::Int && !one.number && other.isMatrix();
    return isSize ? graph.realSize(one.name) : emitter.real(one);
  };
  std::string x = operand(a, b), y = operand(b, a);
  if (of.isLogical()) {
    x = graph.truthOf(x);
    y = graph.truthOf(y);
  }
  if (op == "%%")
    result.name = remainder(graph, x, y);
  else if (op == "%/%")
    result.name = wholeQuotient(graph, x, y);
  else
    result.name = graph.node(of.onnxName(), {x, y});
  if (op == "!=")
    result.name = graph.node("Not", {result.name});
  if (!of.isArithmetic())
    result.name = graph.asReal(result.name);
  return result;
}

bool onnxfold::dml::canBroadcast(const DmlValue &a, const DmlValue &b) {
  auto fits = [](int64_t x, int64_t y) {
    return x < 0 || y < 0 || (y == 1 && x != 0) || x == y;
  };
  return !a.isMatrix() || !b.isMatrix() ||
         (fits(a.rows, b.rows) && fits(a.columns, b.columns));
}

DmlValue Operators::product(Place place, const DmlValue &a, const DmlValue &b) {
  if (!a.isMatrix() || !b.isMatrix() ||
      (a.columns >= 0 && b.rows >= 0 && a.columns != b.rows))
    return refusals.refuse(place, "a matrix product of " + sizeText(a) +
                                      " and " + sizeText(b));
  return DmlValue::matrix(graph.node("MatMul", {a.name, b.name}), a.rows,
                          b.columns);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// The result, or what is compared, is an Int.
DmlValue Operators::ofIntegers(StringRef op, const DmlValue &a,
                               const DmlValue &b) {
  ScalarOperator of(op);
  DmlValue::Type type = of.type(a, b);
  bool isShift = op == "+" || (op == "-" && b.number);
  if (isShift && (a.number || b.number)) {
    int64_t by = *(a.number ? a : b).number;
    DmlValue made = emitter.shifted(a.number ? b : a, op == "+" ? by : -by);
    made.least = of.least(a, b);
    return made;
  }
  std::vector<NodeAttribute> attributes;
  if (op == "%%")
    attributes.push_back({"fmod", {1}});
  std::string x = emitter.integer(a), y = emitter.integer(b);
  std::string name = graph.node(of.onnxName(), {x, y}, attributes);
  DmlValue made =
      DmlValue::scalar(op == "!=" ? graph.node("Not", {name}) : name, type);
  if (type == DmlValue::Int)
    made.least = of.least(a, b);
  return made;
}

DmlValue Operators::ofScalars(Place place, StringRef op, const DmlValue &a,
                              const DmlValue &b) {
  ScalarOperator of(op);
  if (of.isDivisionByZero(a, b))
    return refusals.refuse(place, "a division by zero");
  if (std::optional<DmlValue> known = of.value(a, b))
    return *known;
  DmlValue::Type type = of.type(a, b);
  if (of.isLogical()) {
    if (a.number || b.number)
      return DmlValue::scalar(emitter.truth(a.number ? b : a), type);
    std::string left = emitter.truth(a), right = emitter.truth(b);
    return DmlValue::scalar(graph.node(of.onnxName(), {left, right}), type);
  }
  bool areInts = a.type == DmlValue::Int && b.type == DmlValue::Int;
  if (type == DmlValue::Int || (of.isComparison() && areInts))
    return ofIntegers(op, a, b);
  DmlValue made = ofMatrices(op, a, b); // gives a double of a comparison
  made.type = DmlValue::Double;
  if (type == DmlValue::Boolean)
    return DmlValue::scalar(emitter.truth(made), type);
  return made;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

constexpr size_t longestText = 1 << 20;

/// Whether a number has a known text; nothing if its digits decide. Words are
/// those of Java.
std::optional<DmlValue> Operators::hasText(const DmlValue &number,
                                           const DmlValue &text) {
  bool isDouble = number.type == DmlValue::Double;
  StringRef word = text.text;
  if ((!isDouble && number.type != DmlValue::Int) ||
      text.type != DmlValue::Text || text.isOpenText || word.empty() ||
      !llvm::isAlpha(word.front()))
    return std::nullopt;
  if (number.number) {
    bool isNan = std::isnan(*number.number);
    bool isIt = word == "NaN"        ? isNan
                : word == "Infinity" ? *number.number == HUGE_VAL
                                     : false;
    return DmlValue::known(isIt, DmlValue::Boolean);
  }
  if (isDouble && word == "NaN")
    return DmlValue::scalar(graph.node("IsNaN", {emitter.real(number)}),
                            DmlValue::Boolean);
  if (isDouble && word == "Infinity")
    return std::nullopt;
  return DmlValue::known(false, DmlValue::Boolean);
}

DmlValue Operators::ofTexts(Place place, StringRef op, const DmlValue &a,
                            const DmlValue &b) {
  DmlValue left = textOf(a), right = textOf(b);
  bool isOpen = left.isOpenText || right.isOpenText;
  if (op == "+") {
    left.isOpenText =
        isOpen || left.text.size() + right.text.size() > longestText;
    left.text = left.isOpenText ? "" : left.text + right.text;
    left.isParameter = false;
    if (left.parameter.empty())
      left.parameter = right.parameter;
    return left;
  }
  if (op != "==" && op != "!=")
    return refusals.refuse(place, "the operator " + op + " of a text");
  for (auto [number, text] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (std::optional<DmlValue> isIt = hasText(*number, *text))
      return op == "==" ? *isIt : unary(place, "!", *isIt);
  if (isOpen)
    return refusals.refuse(place, "a comparison of a text that depends on "
                                  "values");
  return DmlValue::known((left.text == right.text) == (op == "=="),
                         DmlValue::Boolean);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

DmlValue Operators::binary(Place place, StringRef op, const DmlValue &a,
                           const DmlValue &b) {
  if (a.isUnknown() || b.isUnknown())
    return {};
  for (const DmlValue *one : {&a, &b}) {
    if (one->type == DmlValue::List || one->type == DmlValue::Frame)
      return refusals.refuse(place, one->type == DmlValue::List
                                        ? "an operator of a list"
                                        : "an operator of a frame");
    if (refusals.isUnordered(place, *one))
      return {};
  }
  if (op != "+" &&
      (refusals.isMissing(place, a) || refusals.isMissing(place, b)))
    return {};
  if (a.type == DmlValue::Text || b.type == DmlValue::Text)
    return ofTexts(place, op, a, b);
  if (op == "%*%")
    return product(place, a, b);
  if (ScalarOperator(op).isArithmetic() &&
      (a.type == DmlValue::Boolean || b.type == DmlValue::Boolean))
    return refusals.refuse(place,
                           "a boolean in arithmetic, expected as.double()");
  if (!canBroadcast(a, b))
    return refusals.refuse(place, "operands of " + op + " are " + sizeText(a) +
                                      " and " + sizeText(b));
  if (a.isMatrix() || b.isMatrix())
    return ofMatrices(op, a, b);
  return ofScalars(place, op, a, b);
}

DmlValue Operators::unary(Place place, StringRef op, DmlValue value) {
  if (value.isUnknown() || op == "+")
    return value;
  if (refusals.isMissing(place, value) || refusals.isUnordered(place, value))
    return {};
  if (!value.isMatrix() && !value.isScalar())
    return refusals.refuse(place, "a sign of a text or a list");
  if (op == "!") {
    if (value.isMatrix() && graph.isTruth(value.name))
      return DmlValue::matrix(
          graph.asReal(graph.node("Not", {graph.truthOf(value.name)})),
          value.rows, value.columns);
    if (value.isMatrix())
      return ofMatrices("==", value, DmlValue::known(0, DmlValue::Double));
    return value.number
               ? DmlValue::known(*value.number == 0, DmlValue::Boolean)
               : DmlValue::scalar(graph.node("Not", {emitter.truth(value)}),
                                  DmlValue::Boolean);
  }
  if (value.type == DmlValue::Boolean)
    return refusals.refuse(place,
                           "a boolean in arithmetic, expected as.double()");
  if (value.number)
    return DmlValue::known(-*value.number, value.type);
  value.name = graph.node("Neg", {value.name});
  value.isCounting = false;
  value.least = std::numeric_limits<int64_t>::min();
  value.text.clear();
  return value;
}
