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
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

using namespace onnxfold::dml;
using llvm::StringRef;

static DmlValue onEach(const BuiltinCall &call, StringRef op,
                       double (*compute)(double)) {
  DmlValue value = call.first();
  if (value.number)
    return DmlValue::known(compute(*value.number),
                           value.type == DmlValue::Int && op == "Abs"
                               ? DmlValue::Int
                               : DmlValue::Double);
  std::string name = call.node(op, {call.to.real(value)});
  return value.isMatrix() ? DmlValue::matrix(name, value.rows, value.columns)
                          : DmlValue::scalar(name, DmlValue::Double);
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
    return DmlValue::known(std::isnan(x)     ? 0
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
  return like(value, call.node("Where", {isNan, zero, rounded}));
}

/// log(x), log(x, base); of a scalar and a matrix SystemDS 3.4.0 takes the
/// scalar as the base.
static DmlValue logarithm(const BuiltinCall &call) {
  auto log = [&](const DmlValue &x) {
    CallArguments inner{call.given.node, {x}};
    return onEach(call.with(inner), "Log",
                  [](double number) { return std::log(number); });
  };
  DmlValue x = log(call.first());
  if (call.count() == 1)
    return x;
  DmlValue base = log(call.given.positional[1]);
  if (base.isMatrix() && !x.isMatrix())
    std::swap(x, base);
  return call.binary("/", x, base);
}

/// A test of each element: a matrix of zeros and ones, or a boolean.
template <OpName op, bool (*compute)(double)>
static DmlValue test(const BuiltinCall &call) {
  const DmlValue &value = call.first();
  if (value.number)
    return DmlValue::known(compute(*value.number), DmlValue::Boolean);
  std::string name = call.node(op.value, {call.to.real(value)});
  if (!value.isMatrix())
    return DmlValue::scalar(name, DmlValue::Boolean);
  return like(value, call.graph().asReal(name));
}
static bool isNanOf(double x) { return std::isnan(x); }
static bool isInfOf(double x) { return std::isinf(x); }

static DmlValue exclusiveOr(const BuiltinCall &call) {
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  if (a.isMatrix() || b.isMatrix()) {
    DmlValue zero = DmlValue::known(0, DmlValue::Double);
    DmlValue x = call.binary("!=", a, zero);
    DmlValue y = call.binary("!=", b, zero);
    return call.binary("!=", x, y);
  }
  if (a.number && b.number)
    return DmlValue::known((*a.number != 0) != (*b.number != 0),
                           DmlValue::Boolean);
  std::string x = call.to.truth(a), y = call.to.truth(b);
  return DmlValue::scalar(call.node("Xor", {x, y}), DmlValue::Boolean);
}

/// Java has other functions of two integers than of numbers.
static bool areIntegers(const BuiltinCall &call) {
  return llvm::all_of(call.given.positional, [](const DmlValue &value) {
    return value.isScalar() && value.type == DmlValue::Int;
  });
}

/// INT64 of which the lower 32 bits, with their sign, are kept.
static std::string lowerBits(const BuiltinCall &call, const std::string &bits) {
  std::string half = call.graph().integer(int64_t(1) << 31),
              whole = call.graph().integer(int64_t(1) << 32);
  std::string above = call.node("Add", {bits, half});
  std::string kept = call.node("Mod", {above, whole});
  return call.node("Sub", {kept, half});
}

/// The integer of 32 bits that Java makes of a number: it cuts off the fraction,
/// what is too large becomes the largest, and NaN is 0. Of integers it keeps the
/// lower bits.
static int32_t bitsOf(double number, bool isInteger) {
  int64_t whole = Emitter::toInteger(number);
  return int32_t(isInteger ? whole
                           : std::clamp<int64_t>(whole, INT32_MIN, INT32_MAX));
}

/// The same of any operand, as INT64.
static std::string asBits(const BuiltinCall &call, const DmlValue &value) {
  OnnxGraph &graph = call.graph();
  if (value.number)
    return graph.integer(bitsOf(*value.number, areIntegers(call)));
  if (areIntegers(call))
    return lowerBits(call, call.to.integer(value));
  if (value.type == DmlValue::Int) {
    std::string least =
        call.node("Max", {value.name, graph.integer(INT32_MIN)});
    return call.node("Min", {least, graph.integer(INT32_MAX)});
  }
  std::string x = call.to.real(value);
  std::string isNan = call.node("IsNaN", {x}), zero = graph.number(0);
  std::string number = call.node("Where", {isNan, zero, x});
  std::string least = call.node("Max", {number, graph.number(INT32_MIN)});
  std::string most = call.node("Min", {least, graph.number(INT32_MAX)});
  // The largest is no number of float32.
  return call.node("Min", {graph.cast(most, onnx::TensorProto::INT64),
                           graph.integer(INT32_MAX)});
}

/// INT64 as numbers: a matrix if one of the operands is one, and an Int of two
/// integers.
static DmlValue ofBits(const BuiltinCall &call, const std::string &bits) {
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  if (areIntegers(call))
    return DmlValue::scalar(bits, DmlValue::Int);
  return like(a.isMatrix() ? a : b,
              call.graph().cast(bits, call.graph().real()));
}

/// A result that is known.
static DmlValue knownBits(const BuiltinCall &call, double number) {
  return DmlValue::known(number,
                         areIntegers(call) ? DmlValue::Int : DmlValue::Double);
}

/// Why the sizes of the operands do not fit; "" if they may.
static std::string problemOfOperands(const BuiltinCall &call) {
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  return canBroadcast(a, b)
             ? ""
             : "operands are " + sizeText(a) + " and " + sizeText(b);
}

template <OpName op, typename Compute>
static DmlValue bitwise(const BuiltinCall &call) {
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  if (std::string why = problemOfOperands(call); !why.empty())
    return call.refuse(why);
  bool isInteger = areIntegers(call);
  if (a.number && b.number)
    return knownBits(call, Compute()(bitsOf(*a.number, isInteger),
                                     bitsOf(*b.number, isInteger)));
  if (call.graph().opset() < 18)
    return call.refuse("ONNX has it since opset 18 (" +
                       onnxfold::setting("target-opset") + ")");
  std::string x = asBits(call, a), y = asBits(call, b);
  return ofBits(call, call.node(op.value, {x, y}));
}

/// The product with a power of two, by the last five bits of the other number;
/// its lower 32 bits are kept. The smallest number is NaN, which is 0 as one of
/// Java's integers.
static DmlValue shiftLeft(const BuiltinCall &call) {
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  if (b.isMatrix() && !a.isMatrix())
    return call.refuse("a scalar by a matrix");
  if (std::string why = problemOfOperands(call); !why.empty())
    return call.refuse(why);
  bool isInteger = areIntegers(call);
  double ofLeast = isInteger ? 0 : NAN;
  if (a.number && b.number) {
    int32_t places = bitsOf(*b.number, isInteger) & 31;
    auto made = int32_t(uint32_t(bitsOf(*a.number, isInteger)) << places);
    return knownBits(call, made == INT32_MIN ? ofLeast : made);
  }
  OnnxGraph &graph = call.graph();
  std::string bits = asBits(call, a), by = asBits(call, b);
  std::string places = call.node("Mod", {by, graph.integer(32)});
  std::string power = call.node("Pow", {graph.integer(2), places});
  bits = lowerBits(call, call.node("Mul", {bits, power}));
  std::string isLeast = call.node("Equal", {bits, graph.integer(INT32_MIN)});
  DmlValue made = ofBits(call, bits);
  std::string instead = isInteger ? graph.integer(0) : graph.number(ofLeast);
  made.name = call.node("Where", {isLeast, instead, made.name});
  return made;
}

/// The quotient of integers by a power of two, rounded down.
static std::string shiftedDown(const BuiltinCall &call, const std::string &bits,
                               const std::string &places) {
  std::string power = call.node("Pow", {call.graph().integer(2), places});
  std::string rest = call.node("Mod", {bits, power});
  std::string multiple = call.node("Sub", {bits, rest});
  return call.node("Div", {multiple, power});
}

/// The quotient by a power of two, rounded down, by the last five bits of the
/// other number. Integers have 64 bits here and are shifted by six.
static DmlValue shiftRight(const BuiltinCall &call) {
  const DmlValue &a = call.given.positional[0], &b = call.given.positional[1];
  if (b.isMatrix() && !a.isMatrix())
    return call.refuse("a scalar by a matrix");
  if (std::string why = problemOfOperands(call); !why.empty())
    return call.refuse(why);
  bool isInteger = areIntegers(call);
  int32_t most = isInteger ? 63 : 31;
  if (a.number && b.number) {
    int64_t bits = isInteger ? Emitter::toInteger(*a.number)
                             : bitsOf(*a.number, isInteger);
    return knownBits(call,
                     double(bits >> (bitsOf(*b.number, isInteger) & most)));
  }
  OnnxGraph &graph = call.graph();
  std::string by = isInteger ? call.to.integer(b) : asBits(call, b);
  std::string places = call.node("Mod", {by, graph.integer(most + 1)});
  if (!isInteger)
    return ofBits(call, shiftedDown(call, asBits(call, a), places));
  // 2^63 is no INT64.
  std::string half = call.node("Div", {places, graph.integer(2)});
  std::string others = call.node("Sub", {places, half});
  std::string bits = shiftedDown(call, call.to.integer(a), half);
  return ofBits(call, shiftedDown(call, bits, others));
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
  return DmlValue::matrix(name, sized.rows, sized.columns);
}

/// ppred(x, y, ">=")
static DmlValue comparedBy(const BuiltinCall &call) {
  llvm::ArrayRef<DmlValue> given = call.given.positional;
  static constexpr StringRef signs[] = {"<", "<=", ">", ">=", "==", "!="};
  if (!llvm::is_contained(signs, given[2].text))
    return call.refuse("expected a comparison, such as \">=\"");
  return call.binary(given[2].text, given[0], given[1]);
}

/// Whether SystemDS keeps a matrix in another form does not change it.
static DmlValue unchanged(const BuiltinCall &call) { return call.first(); }

static constexpr BuiltinEntry elements[] = {
    {"abs", oneNumber, each<"Abs", std::fabs>},
    {"acos", oneNumber, each<"Acos", std::acos>},
    {"asin", oneNumber, each<"Asin", std::asin>},
    {"atan", oneNumber, each<"Atan", std::atan>},
    {"bitwAnd", numbers(2, 2), bitwise<"BitwiseAnd", std::bit_and<>>},
    {"bitwOr", numbers(2, 2), bitwise<"BitwiseOr", std::bit_or<>>},
    {"bitwShiftL", numbers(2, 2), shiftLeft},
    {"bitwShiftR", numbers(2, 2), shiftRight},
    {"bitwXor", numbers(2, 2), bitwise<"BitwiseXor", std::bit_xor<>>},
    {"ceil ceiling", oneNumber, each<"Ceil", std::ceil>},
    {"compress decompress", oneMatrix, unchanged},
    {"cos", oneNumber, each<"Cos", std::cos>},
    {"cosh", oneNumber, each<"Cosh", std::cosh>},
    {"exp", oneNumber, each<"Exp", std::exp>},
    {"floor", oneNumber, each<"Floor", std::floor>},
    {"ifelse", anything(3, 3, "*"), choose},
    {"is.infinite isInf", oneNumber, test<"IsInf", isInfOf>},
    {"is.na is.nan isNA isNaN", oneNumber, test<"IsNaN", isNanOf>},
    {"log", numbers(1, 2), logarithm},
    {"ppred", anything(3, 3), comparedBy},
    {"round", oneNumber, roundHalfUp},
    {"sigmoid", oneNumber, each<"Sigmoid", sigmoidOf>},
    {"sign", oneNumber, each<"Sign", signOf>},
    {"sin", oneNumber, each<"Sin", std::sin>},
    {"sinh", oneNumber, each<"Sinh", std::sinh>},
    {"sqrt", oneNumber, each<"Sqrt", std::sqrt>},
    {"tan", oneNumber, each<"Tan", std::tan>},
    {"tanh", oneNumber, each<"Tanh", std::tanh>},
    {"xor", numbers(2, 2), exclusiveOr},
};

llvm::ArrayRef<BuiltinEntry> onnxfold::dml::elementBuiltins() {
  return elements;
}
