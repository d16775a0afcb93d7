//===- ScalarOperator.cpp - An operator of DML and known scalars ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/ScalarOperator.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold::dml;
using llvm::StringRef;

bool ScalarOperator::isComparison() const {
  return sign[0] == '<' || sign[0] == '>' || sign.ends_with("=");
}

StringRef ScalarOperator::onnxName() const {
  return llvm::StringSwitch<StringRef>(sign)
      .Case("+", "Add")
      .Case("-", "Sub")
      .Case("*", "Mul")
      .Cases({"/", "%/%"}, "Div")
      .Case("^", "Pow")
      .Case("%%", "Mod")
      .Case("<", "Less")
      .Case("<=", "LessOrEqual")
      .Case(">", "Greater")
      .Case(">=", "GreaterOrEqual")
      .Cases({"==", "!="}, "Equal")
      .Cases({"&", "&&"}, "And")
      .Default("Or");
}

DmlValue::Type ScalarOperator::type(const DmlValue &a,
                                    const DmlValue &b) const {
  if (!isArithmetic())
    return DmlValue::Boolean;
  bool staysInt = sign[0] != '/' && sign[0] != '^';
  return staysInt && a.type == DmlValue::Int && b.type == DmlValue::Int
             ? DmlValue::Int
             : DmlValue::Double;
}

double ScalarOperator::wholeQuotient(double a, double b) {
  double quotient = a / b;
  if (!std::isfinite(quotient))
    return quotient;
  double whole = std::floor(std::abs(quotient) + ofWhole);
  return std::copysign(std::min(whole, mostWhole), quotient);
}

/// Of integers x %% 0 is 0.
double ScalarOperator::computed(double a, double b, bool areInts) const {
  switch (sign[0]) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return a / b;
  case '^':
    return std::pow(a, b);
  case '%':
    if (sign == "%/%")
      return areInts ? std::trunc(a / b) : wholeQuotient(a, b);
    if (areInts)
      return b == 0 ? 0 : std::fmod(a, b);
    return a - wholeQuotient(a, b) * b;
  case '<':
    return sign == "<" ? a < b : a <= b;
  case '>':
    return sign == ">" ? a > b : a >= b;
  case '=':
    return a == b;
  case '!':
    return a != b;
  case '&':
    return a != 0 && b != 0;
  default:
    return a != 0 || b != 0;
  }
}

static bool areInts(const DmlValue &a, const DmlValue &b) {
  return a.type == DmlValue::Int && b.type == DmlValue::Int;
}

bool ScalarOperator::isDivisionByZero(const DmlValue &a,
                                      const DmlValue &b) const {
  return sign == "%/%" && areInts(a, b) && a.number && b.number == 0;
}

std::optional<DmlValue> ScalarOperator::value(const DmlValue &a,
                                              const DmlValue &b) const {
  if (a.number && b.number)
    return DmlValue::known(computed(*a.number, *b.number, areInts(a, b)),
                           type(a, b));
  if (isLogical())
    for (const DmlValue *one : {&a, &b})
      if (one->number && (*one->number != 0) == (sign[0] == '|'))
        return DmlValue::known(sign[0] == '|', DmlValue::Boolean);
  return std::nullopt;
}

int64_t ScalarOperator::least(const DmlValue &a, const DmlValue &b) const {
  constexpr int64_t none = std::numeric_limits<int64_t>::min(), far = 1 << 30;
  auto bound = [](const DmlValue &one) {
    if (!one.mayCount())
      return none;
    return one.number ? one.size() : one.least;
  };
  int64_t x = bound(a), y = bound(b);
  if (std::min(x, y) < -far || std::max(x, y) > far)
    return none;
  if (sign == "+")
    return x + y;
  if (sign == "-")
    return b.number ? x - y : none;
  return sign == "*" && x >= 0 && y >= 0 ? x * y : none;
}

//===----------------------------------------------------------------------===//
// Scalars and texts
//===----------------------------------------------------------------------===//

DmlValue onnxfold::dml::boundValue(StringRef text) {
  if (text == "TRUE" || text == "FALSE")
    return DmlValue::known(text == "TRUE", DmlValue::Boolean);
  double number;
  if (text.getAsDouble(number))
    return textValue(text);
  bool isInt = text.find_first_of(".eE") == StringRef::npos;
  return DmlValue::known(number, isInt ? DmlValue::Int : DmlValue::Double);
}

DmlValue onnxfold::dml::boundValue(StringRef text, const DmlValue &byDefault) {
  double number;
  if (byDefault.type == DmlValue::Boolean &&
      (text == "TRUE" || text == "FALSE"))
    return DmlValue::known(text == "TRUE", DmlValue::Boolean);
  if (byDefault.type == DmlValue::Text || text.getAsDouble(number))
    return textValue(text);
  bool isInt = byDefault.type == DmlValue::Int && number == std::trunc(number);
  return DmlValue::known(number, isInt ? DmlValue::Int : DmlValue::Double);
}

DmlValue onnxfold::dml::textOf(const DmlValue &value) {
  if (value.type == DmlValue::Text)
    return value;
  DmlValue text = textValue("");
  if (value.number && value.type == DmlValue::Boolean)
    text.text = *value.number != 0 ? "TRUE" : "FALSE";
  else if (value.number && value.type == DmlValue::Int && value.mayCount())
    text.text = std::to_string(int64_t(*value.number));
  else
    text.isOpenText = true;
  return text;
}
