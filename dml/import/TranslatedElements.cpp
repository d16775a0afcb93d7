//===- TranslatedElements.cpp - Functions of each element as nodes -------===//
// SPDX-License-Identifier: Apache-2.0
//
// What a function of DML means stands in docs/dml.md where it is not what its
// name says.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

static DmlValue onEach(const BuiltinCall &call, StringRef op,
                       double (*compute)(double)) {
  DmlValue value = call.first();
  if (value.number)
    return call.to.known(compute(*value.number),
                         value.type == DmlValue::Int && op == "Abs"
                             ? DmlValue::Int
                             : DmlValue::Double);
  std::string name = call.node(op, {call.to.real(value)});
  return value.isMatrix() ? call.to.matrix(name, value.rows, value.columns)
                          : call.to.scalar(name, DmlValue::Double);
}

template <OpName op, double (*compute)(double)>
static DmlValue each(const BuiltinCall &call) {
  return onEach(call, op.value, compute);
}

static double signOf(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static double sigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }

/// Half up; NaN becomes 0.
static DmlValue roundHalfUp(const BuiltinCall &call) {
  const DmlValue &value = call.first();
  if (value.number) {
    double x = *value.number, down = std::floor(x);
    return call.to.known(std::isnan(x)     ? 0
                         : x - down >= 0.5 ? down + 1
                                           : down,
                         value.type);
  }
  std::string x = call.to.real(value), down = call.node("Floor", {x}),
              rest = call.node("Sub", {x, down}),
              half = call.graph().number(0.5), one = call.graph().number(1),
              up = call.node("Add", {down, one}),
              isUp = call.node("GreaterOrEqual", {rest, half}),
              rounded = call.node("Where", {isUp, up, down}),
              isNan = call.node("IsNaN", {x}), zero = call.graph().number(0);
  return like(call, value, call.node("Where", {isNan, zero, rounded}));
}

static DmlValue logarithm(const BuiltinCall &call) {
  DmlValue result = onEach(call, "Log", [](double x) { return std::log(x); });
  if (call.count() == 1)
    return result;
  const DmlValue &base = call.given.positional.back();
  if (!base.isScalar())
    return call.refuse("a base that is not a scalar");
  std::string scale = call.node("Log", {call.to.real(base)});
  return like(call, result, call.node("Div", {call.to.real(result), scale}));
}

/// A test of each element: a matrix of zeros and ones, or a boolean.
template <OpName op, bool (*compute)(double)>
static DmlValue test(const BuiltinCall &call) {
  const DmlValue &value = call.first();
  if (value.number)
    return call.to.known(compute(*value.number), DmlValue::Boolean);
  std::string name = call.node(op.value, {call.to.real(value)});
  if (!value.isMatrix())
    return call.to.scalar(name, DmlValue::Boolean);
  return like(call, value, call.graph().asReal(name));
}
static bool isNanOf(double x) { return std::isnan(x); }
static bool isInfOf(double x) { return std::isinf(x); }

static DmlValue exclusiveOr(const BuiltinCall &call) {
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  if (a.isMatrix() || b.isMatrix()) {
    DmlValue zero = call.to.known(0, DmlValue::Double);
    Place place = call.given.node.place;
    DmlValue x = call.to.binary(place, "!=", a, zero);
    DmlValue y = call.to.binary(place, "!=", b, zero);
    return call.to.binary(place, "!=", x, y);
  }
  if (a.number && b.number)
    return call.to.known((*a.number != 0) != (*b.number != 0),
                         DmlValue::Boolean);
  std::string x = call.to.truth(a), y = call.to.truth(b);
  return call.to.scalar(call.node("Xor", {x, y}), DmlValue::Boolean);
}

/// Of integers, as 64 bits with a sign.
template <OpName op> static DmlValue bitwise(const BuiltinCall &call) {
  if (call.graph().opset() < 18)
    return call.refuse("ONNX has it since opset 18 (" +
                       onnxfold::setting("target-opset") + ")");
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  auto bitsOf = [&](const DmlValue &one) {
    return call.graph().cast(call.to.real(one), onnx::TensorProto::INT64);
  };
  std::string x = bitsOf(a), y = bitsOf(b);
  std::string bits = call.node(op.value, {x, y});
  const DmlValue &sized = a.isMatrix() ? a : b;
  return like(call, sized, call.graph().cast(bits, call.graph().real()));
}
/// Times a power of two, rounded down.
template <bool isLeft> static DmlValue shiftBits(const BuiltinCall &call) {
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  Place place = call.given.node.place;
  DmlValue two = call.to.known(2, DmlValue::Double);
  if (b.isMatrix() && !a.isMatrix())
    return call.refuse("a scalar by a matrix");
  DmlValue power = call.to.binary(place, "^", two, b);
  DmlValue shifted = call.to.binary(place, isLeft ? "*" : "/", a, power);
  if (shifted.number)
    return call.to.known(std::floor(*shifted.number), DmlValue::Double);
  return like(call, shifted, call.node("Floor", {call.to.real(shifted)}));
}

/// Both may be scalars; a matrix decides the size.
static DmlValue choose(const BuiltinCall &call) {
  const DmlValue &condition = call.given.positional[0];
  const DmlValue &yes = call.given.positional[1],
                 &no = call.given.positional[2];
  if (condition.isScalar() && condition.number)
    return *condition.number != 0 ? yes : no;
  if (condition.isScalar() && yes.type == DmlValue::Text &&
      no.type == DmlValue::Text)
    return yes.isSame(no) ? yes : openText(call);
  for (const DmlValue *one : {&condition, &yes, &no})
    if (!one->isMatrix() && !one->isScalar())
      return call.refuse("a text or a list");
  if (condition.isScalar() && yes.isMatrix() == no.isMatrix())
    return call.to.select(condition, yes, no);
  std::string test;
  if (condition.isMatrix()) {
    test = call.graph().truthOf(condition.name);
  } else {
    test = call.to.truth(condition);
  }
  std::string x = call.to.real(yes), y = call.to.real(no);
  std::string name = call.node("Where", {test, x, y});
  const DmlValue &sized = condition.isMatrix() ? condition
                          : yes.isMatrix()     ? yes
                                               : no;
  return call.to.matrix(name, sized.rows, sized.columns);
}

/// ppred(x, y, ">=")
static DmlValue comparedBy(const BuiltinCall &call) {
  llvm::ArrayRef<DmlValue> given = call.given.positional;
  static constexpr StringRef signs[] = {"<", "<=", ">", ">=", "==", "!="};
  if (!llvm::is_contained(signs, given[2].text))
    return call.refuse("expected a comparison, such as \">=\"");
  return call.to.binary(call.given.node.place, given[2].text, given[0],
                        given[1]);
}

/// Whether SystemDS keeps a matrix in another form does not change it.
static DmlValue unchanged(const BuiltinCall &call) { return call.first(); }

static constexpr BuiltinEntry elements[] = {
    {"abs", each<"Abs", std::fabs>, 1, 1, Takes::Numbers},
    {"acos", each<"Acos", std::acos>, 1, 1, Takes::Numbers},
    {"asin", each<"Asin", std::asin>, 1, 1, Takes::Numbers},
    {"atan", each<"Atan", std::atan>, 1, 1, Takes::Numbers},
    {"bitwAnd", bitwise<"BitwiseAnd">, 2, 2, Takes::Numbers},
    {"bitwOr", bitwise<"BitwiseOr">, 2, 2, Takes::Numbers},
    {"bitwShiftL", shiftBits<true>, 2, 2, Takes::Numbers},
    {"bitwShiftR", shiftBits<false>, 2, 2, Takes::Numbers},
    {"bitwXor", bitwise<"BitwiseXor">, 2, 2, Takes::Numbers},
    {"ceil", each<"Ceil", std::ceil>, 1, 1, Takes::Numbers},
    {"ceiling", each<"Ceil", std::ceil>, 1, 1, Takes::Numbers},
    {"compress", unchanged, 1, 1, Takes::Matrix},
    {"cos", each<"Cos", std::cos>, 1, 1, Takes::Numbers},
    {"cosh", each<"Cosh", std::cosh>, 1, 1, Takes::Numbers},
    {"decompress", unchanged, 1, 1, Takes::Matrix},
    {"exp", each<"Exp", std::exp>, 1, 1, Takes::Numbers},
    {"floor", each<"Floor", std::floor>, 1, 1, Takes::Numbers},
    {"ifelse", choose, 3, 3, Takes::Anything, "*"},
    {"is.infinite", test<"IsInf", isInfOf>, 1, 1, Takes::Numbers},
    {"is.na", test<"IsNaN", isNanOf>, 1, 1, Takes::Numbers},
    {"is.nan", test<"IsNaN", isNanOf>, 1, 1, Takes::Numbers},
    {"isInf", test<"IsInf", isInfOf>, 1, 1, Takes::Numbers},
    {"isNA", test<"IsNaN", isNanOf>, 1, 1, Takes::Numbers},
    {"isNaN", test<"IsNaN", isNanOf>, 1, 1, Takes::Numbers},
    {"log", logarithm, 1, 2, Takes::Numbers},
    {"ppred", comparedBy, 3, 3, Takes::Anything},
    {"round", roundHalfUp, 1, 1, Takes::Numbers},
    {"sigmoid", each<"Sigmoid", sigmoidOf>, 1, 1, Takes::Numbers},
    {"sign", each<"Sign", signOf>, 1, 1, Takes::Numbers},
    {"sin", each<"Sin", std::sin>, 1, 1, Takes::Numbers},
    {"sinh", each<"Sinh", std::sinh>, 1, 1, Takes::Numbers},
    {"sqrt", each<"Sqrt", std::sqrt>, 1, 1, Takes::Numbers},
    {"tan", each<"Tan", std::tan>, 1, 1, Takes::Numbers},
    {"tanh", each<"Tanh", std::tanh>, 1, 1, Takes::Numbers},
    {"xor", exclusiveOr, 2, 2, Takes::Numbers},
};

llvm::ArrayRef<BuiltinEntry> onnxfold::dml::elementBuiltins() {
  return elements;
}
