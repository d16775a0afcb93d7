//===- TranslatedOperators.cpp - Values and operators of DML --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Translation.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace onnxfold::dml;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string Translation::placeText(Place place) const {
  return ((module ? module->file : "") + ":" + llvm::Twine(place.line) + ":" +
          llvm::Twine(place.column) + ": ")
      .str();
}

std::string Translation::unusable(Place place, const std::string &like,
                                  const llvm::Twine &why) {
  std::string name = graph.node("RandomUniformLike", {like});
  randomNodes[name] = (placeText(place) + why).str();
  return name;
}

DmlValue Translation::refuse(Place place, const llvm::Twine &reason) {
  std::string text = (placeText(place) + reason).str();
  if (!llvm::is_contained(refusals, text))
    refusals.push_back(std::move(text));
  return {};
}

bool Translation::isMissing(Place place, const DmlValue &value) {
  if (value.parameter.empty())
    return false;
  refuse(place, "'$" + value.parameter + "' has no value, expected " +
                    setting("bind", value.parameter + "=VALUE"));
  return true;
}

bool Translation::isUnordered(Place place, const DmlValue &value) {
  if (value.isUnordered)
    refuse(place,
           "unique() has the order of a hash table, which order() of one "
           "column takes away");
  return value.isUnordered;
}

DmlValue Translation::known(double number, DmlValue::Type type) {
  DmlValue value;
  value.type = type;
  value.number = number;
  return value;
}

DmlValue Translation::matrix(std::string name, int64_t rows, int64_t columns) {
  DmlValue value;
  value.type = DmlValue::Matrix;
  value.name = std::move(name);
  value.rows = rows;
  value.columns = columns;
  return value;
}

DmlValue Translation::scalar(std::string name, DmlValue::Type type) {
  DmlValue value;
  value.type = type;
  value.name = std::move(name);
  return value;
}

std::string Translation::real(const DmlValue &value) {
  if (value.isMatrix())
    return value.name;
  if (value.number)
    return graph.number(*value.number);
  return value.type == DmlValue::Double ? value.name
                                        : graph.cast(value.name, graph.real());
}

/// As Java does it: NaN is 0, and what is too large the number that is closest.
static int64_t toInteger(double number) {
  constexpr double beyond = 0x1p63;
  if (std::isnan(number))
    return 0;
  if (std::abs(number) < beyond)
    return int64_t(number);
  using Limits = std::numeric_limits<int64_t>;
  return number < 0 ? Limits::min() : Limits::max();
}

std::string Translation::integer(const DmlValue &value) {
  if (value.number)
    return graph.integer(toInteger(*value.number));
  return value.type == DmlValue::Int
             ? value.name
             : graph.cast(value.name, onnx::TensorProto::INT64);
}

std::string Translation::truth(const DmlValue &value) {
  if (value.number)
    return graph.truth(*value.number != 0);
  if (value.type == DmlValue::Boolean)
    return value.name;
  return graph.truthOf(real(value));
}

DmlValue Translation::size(const DmlValue &matrix, int axis) {
  int64_t count = axis == 0 ? matrix.rows : matrix.columns;
  if (count >= 0)
    return known(count, DmlValue::Int);
  DmlValue value = scalar(graph.sizeOf(matrix.name, axis), DmlValue::Int);
  value.least = 1;
  return value;
}

std::string Translation::list(llvm::ArrayRef<DmlValue> sizes) {
  if (llvm::all_of(sizes, [](auto &one) { return one.number.has_value(); })) {
    llvm::SmallVector<int64_t> values;
    for (const DmlValue &one : sizes)
      values.push_back(*one.number);
    return graph.integers(values);
  }
  std::vector<std::string> parts;
  for (const DmlValue &one : sizes)
    parts.push_back(
        graph.node("Unsqueeze", {integer(one), graph.integers({0})}));
  return graph.node("Concat", parts, {{"axis", {0}}});
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Of an operator: < <= > >= == !=
static bool isComparison(StringRef op) {
  return op[0] == '<' || op[0] == '>' || op.ends_with("=");
}
/// & && | ||
static bool isLogical(StringRef op) { return op[0] == '&' || op[0] == '|'; }

/// Of two known scalars; %/% truncates, and of integers x %% 0 is 0.
static double computed(StringRef op, double a, double b, bool areInts) {
  switch (op[0]) {
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
    if (op == "%/%")
      return std::trunc(a / b);
    return areInts && b == 0 ? 0 : std::fmod(a, b);
  case '<':
    return op == "<" ? a < b : a <= b;
  case '>':
    return op == ">" ? a > b : a >= b;
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

/// Of two scalars.
static DmlValue::Type resultType(StringRef op, const DmlValue &a,
                                 const DmlValue &b) {
  if (isComparison(op) || isLogical(op))
    return DmlValue::Boolean;
  bool staysInt = op[0] != '/' && op[0] != '^';
  return staysInt && a.type == DmlValue::Int && b.type == DmlValue::Int
             ? DmlValue::Int
             : DmlValue::Double;
}

static StringRef operatorOf(StringRef op) {
  return llvm::StringSwitch<StringRef>(op)
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

/// At least one is a matrix: ONNX's broadcasting has what DML has.
DmlValue Translation::mixed(StringRef op, const DmlValue &a,
                            const DmlValue &b) {
  auto joined = [](int64_t x, int64_t y) { return y > 1 || x == 1 ? y : x; };
  const DmlValue &sized = a.isMatrix() ? a : b;
  DmlValue result = matrix("", sized.rows, sized.columns);
  if (a.isMatrix() && b.isMatrix()) {
    result.rows = joined(a.rows, b.rows);
    result.columns = joined(a.columns, b.columns);
  }
  auto operand = [&](const DmlValue &one, const DmlValue &other) {
    bool isSize = one.type == DmlValue::Int && !one.number && other.isMatrix();
    return isSize ? graph.realSize(one.name) : real(one);
  };
  std::string x = operand(a, b), y = operand(b, a);
  if (isLogical(op)) {
    x = graph.truthOf(x);
    y = graph.truthOf(y);
  }
  std::vector<NodeAttribute> attributes;
  if (op == "%%")
    attributes.push_back({"fmod", {1}});
  result.name = graph.node(operatorOf(op), {x, y}, attributes);
  if (op == "%/%") { // rounds to zero
    std::string down = graph.node("Floor", {result.name}),
                up = graph.node("Ceil", {result.name}),
                isLow = graph.node("Less", {result.name, graph.number(0)});
    result.name = graph.node("Where", {isLow, up, down});
  }
  if (op == "!=")
    result.name = graph.node("Not", {result.name});
  if (isComparison(op) || isLogical(op))
    result.name = graph.asReal(result.name);
  return result;
}

/// What a + b, a - b or a * b of sizes is not below; sizes are far from
/// overflow, and where a bound would be, there is none.
static int64_t leastOf(StringRef op, const DmlValue &a, const DmlValue &b) {
  constexpr int64_t none = std::numeric_limits<int64_t>::min(), far = 1 << 30;
  auto bound = [](const DmlValue &one) {
    if (!one.mayCount())
      return none;
    return one.number ? one.size() : one.least;
  };
  int64_t x = bound(a), y = bound(b);
  if (std::min(x, y) < -far || std::max(x, y) > far)
    return none;
  if (op == "+")
    return x + y;
  if (op == "-")
    return b.number ? x - y : none;
  return op == "*" && x >= 0 && y >= 0 ? x * y : none;
}

std::string onnxfold::dml::sizeText(const DmlValue &value) {
  auto one = [](int64_t n) { return n < 0 ? "?" : std::to_string(n); };
  return value.isMatrix() ? one(value.rows) + " x " + one(value.columns)
                          : "a scalar";
}

/// DML broadcasts rows and columns on the right only, and not to nothing.
static bool canBroadcast(const DmlValue &a, const DmlValue &b) {
  auto fits = [](int64_t x, int64_t y) {
    return x < 0 || y < 0 || (y == 1 && x != 0) || x == y;
  };
  return !a.isMatrix() || !b.isMatrix() ||
         (fits(a.rows, b.rows) && fits(a.columns, b.columns));
}

/// x + 1 - 1 is x: an index from 1, and the place from 0 that it names.
DmlValue Translation::shifted(const DmlValue &open, int64_t by) {
  std::string base = open.name;
  if (auto found = sums.find(base); found != sums.end()) {
    by += found->second.second;
    base = std::string(found->second.first);
  }
  if (by == 0)
    return scalar(base, DmlValue::Int);
  std::string step = graph.integer(std::abs(by));
  DmlValue made =
      scalar(graph.node(by > 0 ? "Add" : "Sub", {base, step}), DmlValue::Int);
  sums[made.name] = {base, by};
  return made;
}

/// Of two scalars that are no texts.
DmlValue Translation::ofScalars(Place place, StringRef op, const DmlValue &a,
                                const DmlValue &b) {
  DmlValue::Type type = resultType(op, a, b);
  bool areInts = a.type == DmlValue::Int && b.type == DmlValue::Int;
  if (a.number && b.number) {
    if (areInts && op == "%/%" && *b.number == 0)
      return refuse(place, "a division by zero");
    return known(computed(op, *a.number, *b.number, areInts), type);
  }
  if (isLogical(op)) {
    // One side may decide.
    for (const DmlValue *one : {&a, &b}) {
      const DmlValue &other = one == &a ? b : a;
      if (!one->number)
        continue;
      bool decides = (*one->number != 0) == (op[0] == '|');
      return decides ? known(op[0] == '|', type) : scalar(truth(other), type);
    }
    std::string left = truth(a), right = truth(b);
    return scalar(graph.node(operatorOf(op), {left, right}), type);
  }
  if (type == DmlValue::Int || (isComparison(op) && areInts)) {
    std::vector<NodeAttribute> attributes;
    if (op == "%%")
      attributes.push_back({"fmod", {1}});
    bool isShift = op == "+" || (op == "-" && b.number);
    if (isShift && type == DmlValue::Int && (a.number || b.number)) {
      const DmlValue &known = a.number ? a : b;
      int64_t by = *known.number;
      DmlValue made = shifted(a.number ? b : a, op == "+" ? by : -by);
      made.least = leastOf(op, a, b);
      return made;
    }
    std::string name =
        graph.node(operatorOf(op), {integer(a), integer(b)}, attributes);
    DmlValue made = scalar(op == "!=" ? graph.node("Not", {name}) : name, type);
    if (type == DmlValue::Int)
      made.least = leastOf(op, a, b);
    return made;
  }
  DmlValue made = mixed(op, a, b); // gives a double of a comparison
  made.type = DmlValue::Double;
  if (type == DmlValue::Boolean)
    return scalar(truth(made), type);
  return made;
}

DmlValue Translation::binary(Place place, StringRef op, const DmlValue &a,
                             const DmlValue &b) {
  if (a.isUnknown() || b.isUnknown())
    return {};
  for (const DmlValue *one : {&a, &b}) {
    if (one->type == DmlValue::List || one->type == DmlValue::Frame)
      return refuse(place, one->type == DmlValue::List
                               ? "an operator of a list"
                               : "an operator of a frame");
    if (isUnordered(place, *one))
      return {};
  }
  if (op != "+" && (isMissing(place, a) || isMissing(place, b)))
    return {};
  if (a.type == DmlValue::Text || b.type == DmlValue::Text)
    return joinedText(place, op, a, b);
  if (op == "%*%") {
    if (!a.isMatrix() || !b.isMatrix() ||
        (a.columns >= 0 && b.rows >= 0 && a.columns != b.rows))
      return refuse(place, "a matrix product of " + sizeText(a) + " and " +
                               sizeText(b));
    return matrix(graph.node("MatMul", {a.name, b.name}), a.rows, b.columns);
  }
  bool isArithmetic = !isComparison(op) && !isLogical(op);
  if (isArithmetic &&
      (a.type == DmlValue::Boolean || b.type == DmlValue::Boolean))
    return refuse(place, "a boolean in arithmetic, expected as.double()");
  if (!canBroadcast(a, b))
    return refuse(place, "operands of " + op + " are " + sizeText(a) + " and " +
                             sizeText(b));
  if (a.isMatrix() || b.isMatrix())
    return mixed(op, a, b);
  return ofScalars(place, op, a, b);
}

DmlValue Translation::evaluateUnary(const Expr::Node &node,
                                    Variables &variables) {
  DmlValue value = evaluate(node.operands[0], variables);
  if (value.isUnknown() || node.text == "+")
    return value;
  if (isMissing(node.place, value) || isUnordered(node.place, value))
    return {};
  if (!value.isMatrix() && !value.isScalar())
    return refuse(node.place, "a sign of a text or a list");
  if (node.text == "!") {
    if (value.isMatrix() && graph.isTruth(value.name))
      return matrix(
          graph.asReal(graph.node("Not", {graph.truthOf(value.name)})),
          value.rows, value.columns);
    if (value.isMatrix())
      return mixed("==", value, known(0, DmlValue::Double));
    return value.number
               ? known(*value.number == 0, DmlValue::Boolean)
               : scalar(graph.node("Not", {truth(value)}), DmlValue::Boolean);
  }
  if (value.type == DmlValue::Boolean)
    return refuse(node.place, "a boolean in arithmetic, expected as.double()");
  if (value.number)
    return known(-*value.number, value.type);
  value.name = graph.node("Neg", {value.name});
  value.isCounting = false;
  value.least = std::numeric_limits<int64_t>::min();
  value.text.clear();
  return value;
}
