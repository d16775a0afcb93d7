//===- TranslatedBuiltins.cpp - Builtin functions of DML as ONNX nodes ----===//
// SPDX-License-Identifier: Apache-2.0
//
// One table: name, and the function that makes its nodes. What a function of
// DML means stands in docs/dml.md where it is not what its name says.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/internal/BuiltinCall.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// What the first arguments are: numbers or matrices, a matrix first, or what
/// the function itself says; Named: they may have keys.
enum class Takes { Numbers, Matrix, Anything, Named };

struct BuiltinEntry {
  Builtin make;
  size_t least, most; ///< arguments
  Takes takes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

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

/// A text as an argument of a template.
template <size_t N> struct OpName {
  constexpr OpName(const char (&text)[N]) { std::copy_n(text, N, value); }
  char value[N];
};
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
                       setting("target-opset") + ")");
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

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

/// axis 0: of columns, 1: of rows, 2: of all, a scalar.
static DmlValue reduced(const BuiltinCall &call, StringRef op, int axis) {
  const DmlValue &x = call.first();
  std::string axes =
      axis == 2 ? call.graph().integers({0, 1}) : call.graph().integers({axis});
  std::string name = call.node(op, {x.name, axes}, {{"keepdims", {axis != 2}}});
  if (axis == 2)
    return call.to.scalar(name, DmlValue::Double);
  return axis == 0 ? call.to.matrix(name, 1, x.columns)
                   : call.to.matrix(name, x.rows, 1);
}
template <OpName op, int axis>
static DmlValue aggregate(const BuiltinCall &call) {
  return reduced(call, op.value, axis);
}

static DmlValue meanOf(const BuiltinCall &call) {
  return call.count() == 1 ? reduced(call, "ReduceMean", 2)
                           : weightedMean(call);
}

/// With n - 1. axis as above.
static DmlValue variance(const BuiltinCall &call, int axis, bool isRoot) {
  const DmlValue &x = call.first();
  Place place = call.given.node.place;
  DmlValue mean = reduced(call, "ReduceMean", axis);
  std::string rest = call.node("Sub", {x.name, call.to.real(mean)});
  std::string square = call.node("Mul", {rest, rest});
  CallArguments inner{call.given.node, {like(call, x, square)}, {}};
  DmlValue sum = reduced({call.to, inner}, "ReduceSum", axis);
  DmlValue count = axis == 1   ? call.to.size(x, 1)
                   : axis == 0 ? call.to.size(x, 0)
                               : call.to.binary(place, "*", call.to.size(x, 0),
                                                call.to.size(x, 1));
  DmlValue result =
      call.to.binary(place, "/", sum, degreesOfFreedom(call, count));
  if (isRoot)
    result.name = call.node("Sqrt", {result.name});
  return result;
}
template <int axis, bool isRoot>
static DmlValue spread(const BuiltinCall &call) {
  return variance(call, axis, isRoot);
}

/// The last of equal ones, from 1. NaN is passed over; a row of NaN has 1.
template <OpName reduction, bool isMax>
static DmlValue indexInRow(const BuiltinCall &call) {
  OnnxGraph &graph = call.graph();
  const DmlValue &x = call.first();
  std::string axis = graph.integers({1}), one = graph.number(1);
  std::string worst = graph.number(isMax ? -HUGE_VAL : HUGE_VAL);
  std::string numbers =
      call.node("Where", {call.node("IsNaN", {x.name}), worst, x.name});
  std::string best = call.node(reduction.value, {numbers, axis});
  std::string isBest = call.node("Equal", {x.name, best});
  DmlValue end = call.to.binary(call.given.node.place, "+", call.to.size(x, 1),
                                call.to.known(1, DmlValue::Int));
  std::string places = call.node("Range", {one, call.to.real(end), one});
  std::string found = call.node("Where", {isBest, places, one});
  return call.to.matrix(call.node("ReduceMax", {found, axis}), x.rows, 1);
}

/// max and min: of one matrix, or element by element of several.
template <OpName reduction, OpName op, bool isMax>
static DmlValue extreme(const BuiltinCall &call) {
  if (call.count() == 1)
    return call.first().isMatrix() ? reduced(call, reduction.value, 2)
                                   : call.first();
  DmlValue result = call.first();
  for (const DmlValue &one : llvm::drop_begin(call.given.positional)) {
    bool areInts = result.type == DmlValue::Int && one.type == DmlValue::Int;
    if (result.number && one.number) {
      double a = *result.number, b = *one.number;
      bool takesB = std::isnan(b) || (isMax ? b > a : b < a);
      result = call.to.known(takesB && !std::isnan(a) ? b : a,
                             areInts ? DmlValue::Int : DmlValue::Double);
    } else if (areInts) {
      std::string a = call.to.integer(result), b = call.to.integer(one);
      result = call.to.scalar(call.node(op.value, {a, b}), DmlValue::Int);
    } else {
      // In any order: what has more rows and columns decides the size.
      std::string a = call.to.real(result), b = call.to.real(one);
      DmlValue wide = result.isMatrix() ? result : one;
      if (result.isMatrix() && one.isMatrix()) {
        wide.rows =
            one.rows == 1 ? result.rows : std::max(result.rows, one.rows);
        wide.columns = one.columns == 1 ? result.columns
                                        : std::max(result.columns, one.columns);
      }
      result = like(call, wide, call.node(op.value, {a, b}));
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Sizes and kinds
//===----------------------------------------------------------------------===//

/// Of a list, its elements.
static std::optional<DmlValue> lengthOfList(const BuiltinCall &call) {
  if (call.first().type != DmlValue::List)
    return std::nullopt;
  return call.to.known(call.first().elements.size(), DmlValue::Int);
}
template <int axis> static DmlValue sizeOf(const BuiltinCall &call) {
  if (std::optional<DmlValue> count = lengthOfList(call); count && axis == 0)
    return *count;
  if (!call.first().isMatrix())
    return call.refuse("something that is not a matrix");
  return call.to.size(call.first(), axis);
}
static DmlValue length(const BuiltinCall &call) {
  if (std::optional<DmlValue> count = lengthOfList(call))
    return *count;
  if (!call.first().isMatrix())
    return call.refuse("something that is not a matrix");
  DmlValue rows = call.to.size(call.first(), 0);
  DmlValue columns = call.to.size(call.first(), 1);
  return call.to.binary(call.given.node.place, "*", rows, columns);
}

static DmlValue asScalar(const BuiltinCall &call) {
  DmlValue x = call.first();
  if (x.type == DmlValue::List && x.elements.size() == 1)
    x = DmlValue(x.elements.front());
  if (x.type == DmlValue::List)
    return call.refuse("a list of " + llvm::Twine(x.elements.size()) +
                       " elements");
  if (!x.isMatrix())
    return x;
  if ((x.rows >= 0 && x.rows != 1) || (x.columns >= 0 && x.columns != 1))
    return call.refuse("a matrix of more than one element");
  std::string shape = call.graph().integers({});
  return call.to.scalar(call.node("Reshape", {x.name, shape}),
                        DmlValue::Double);
}

/// A list of numbers is a column.
DmlValue onnxfold::dml::asMatrix(const BuiltinCall &call) {
  DmlValue x = call.first();
  if (x.type == DmlValue::List && x.elements.size() == 1)
    x = DmlValue(x.elements.front());
  if (x.type == DmlValue::List) {
    CallArguments inner{call.given.node, x.elements, {}};
    return bindRows({call.to, inner});
  }
  if (x.isMatrix())
    return x;
  if (!x.isScalar())
    return call.refuse("a text");
  if (x.number)
    return call.to.matrix(call.graph().matrix({*x.number}, 1, 1), 1, 1);
  std::string value = call.to.real(x), shape = call.graph().integers({1, 1});
  return call.to.matrix(call.node("Reshape", {value, shape}), 1, 1);
}

static DmlValue asDouble(const BuiltinCall &call) {
  DmlValue x = asScalar(call);
  if (!x.isScalar())
    return x;
  return x.number ? call.to.known(*x.number, DmlValue::Double)
                  : call.to.scalar(call.to.real(x), DmlValue::Double);
}
/// Towards zero.
static DmlValue asInteger(const BuiltinCall &call) {
  DmlValue x = asScalar(call);
  if (!x.isScalar())
    return x;
  return x.number ? call.to.known(std::trunc(*x.number), DmlValue::Int)
                  : call.to.scalar(call.to.integer(x), DmlValue::Int);
}
static DmlValue asLogical(const BuiltinCall &call) {
  DmlValue x = asScalar(call);
  if (!x.isScalar())
    return x;
  return x.number ? call.to.known(*x.number != 0, DmlValue::Boolean)
                  : call.to.scalar(call.to.truth(x), DmlValue::Boolean);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr std::pair<llvm::StringLiteral, BuiltinEntry> builtins[] = {
    {"abs", {each<"Abs", std::fabs>, 1, 1, Takes::Numbers}},
    {"acos", {each<"Acos", std::acos>, 1, 1, Takes::Numbers}},
    {"append", {append, 2, 2, Takes::Named}},
    {"as.boolean", {asLogical, 1, 1, Takes::Anything}},
    {"as.double", {asDouble, 1, 1, Takes::Anything}},
    {"as.integer", {asInteger, 1, 1, Takes::Anything}},
    {"as.list", {asList, 1, 1, Takes::Anything}},
    {"as.logical", {asLogical, 1, 1, Takes::Anything}},
    {"as.matrix", {asMatrix, 1, 1, Takes::Anything}},
    {"as.scalar", {asScalar, 1, 1, Takes::Anything}},
    {"asin", {each<"Asin", std::asin>, 1, 1, Takes::Numbers}},
    {"atan", {each<"Atan", std::atan>, 1, 1, Takes::Numbers}},
    {"avg", {aggregate<"ReduceMean", 2>, 1, 1, Takes::Matrix}},
    {"avg_pool", {averagePool, 4, 6, Takes::Named}},
    {"avg_pool_backward", {averagePoolBackward, 5, 7, Takes::Named}},
    {"bias_add", {biasAdd, 2, 2, Takes::Anything}},
    {"bias_multiply", {biasMultiply, 2, 2, Takes::Anything}},
    {"bitwAnd", {bitwise<"BitwiseAnd">, 2, 2, Takes::Numbers}},
    {"bitwOr", {bitwise<"BitwiseOr">, 2, 2, Takes::Numbers}},
    {"bitwShiftL", {shiftBits<true>, 2, 2, Takes::Numbers}},
    {"bitwShiftR", {shiftBits<false>, 2, 2, Takes::Numbers}},
    {"bitwXor", {bitwise<"BitwiseXor">, 2, 2, Takes::Numbers}},
    {"castAsScalar", {asScalar, 1, 1, Takes::Anything}},
    {"cbind", {bindColumns, 1, 99, Takes::Numbers}},
    {"cdf", {probability, 2, 6, Takes::Named}},
    {"ceil", {each<"Ceil", std::ceil>, 1, 1, Takes::Numbers}},
    {"ceiling", {each<"Ceil", std::ceil>, 1, 1, Takes::Numbers}},
    {"centralMoment", {moment, 2, 3, Takes::Numbers}},
    {"colCountDistinct", {distinctInColumns, 1, 1, Takes::Matrix}},
    {"colCountDistinctApprox", {distinctInColumns, 1, 1, Takes::Matrix}},
    {"colMaxs", {aggregate<"ReduceMax", 0>, 1, 1, Takes::Matrix}},
    {"colMeans", {aggregate<"ReduceMean", 0>, 1, 1, Takes::Matrix}},
    {"colMins", {aggregate<"ReduceMin", 0>, 1, 1, Takes::Matrix}},
    {"colProds", {aggregate<"ReduceProd", 0>, 1, 1, Takes::Matrix}},
    {"colSds", {spread<0, true>, 1, 1, Takes::Matrix}},
    {"colSums", {aggregate<"ReduceSum", 0>, 1, 1, Takes::Matrix}},
    {"colVars", {spread<0, false>, 1, 1, Takes::Matrix}},
    {"compress", {unchanged, 1, 1, Takes::Matrix}},
    {"contains", {contains, 2, 2, Takes::Named}},
    {"conv2d", {convolution, 4, 8, Takes::Named}},
    {"conv2d_backward_data", {convolutionOfData, 4, 8, Takes::Named}},
    {"conv2d_backward_filter", {convolutionOfFilter, 4, 8, Takes::Named}},
    {"cos", {each<"Cos", std::cos>, 1, 1, Takes::Numbers}},
    {"cosh", {each<"Cosh", std::cosh>, 1, 1, Takes::Numbers}},
    {"countDistinct", {distinctValues, 1, 1, Takes::Matrix}},
    {"countDistinctApprox", {distinctValues, 1, 1, Takes::Matrix}},
    {"cov", {covariance, 2, 3, Takes::Matrix}},
    {"ctable", {contingencyTable, 2, 6, Takes::Anything}},
    {"cumsum", {cumulativeSum, 1, 1, Takes::Matrix}},
    {"decompress", {unchanged, 1, 1, Takes::Matrix}},
    {"det", {determinant, 1, 1, Takes::Matrix}},
    {"diag", {diagonal, 1, 1, Takes::Matrix}},
    {"einsum", {sumOfProducts, 2, 9, Takes::Anything}},
    {"exp", {each<"Exp", std::exp>, 1, 1, Takes::Numbers}},
    {"floor", {each<"Floor", std::floor>, 1, 1, Takes::Numbers}},
    {"icdf", {quantileOfDistribution, 2, 5, Takes::Named}},
    {"ifelse", {choose, 3, 3, Takes::Anything}},
    {"is.infinite", {test<"IsInf", isInfOf>, 1, 1, Takes::Numbers}},
    {"is.na", {test<"IsNaN", isNanOf>, 1, 1, Takes::Numbers}},
    {"is.nan", {test<"IsNaN", isNanOf>, 1, 1, Takes::Numbers}},
    {"isInf", {test<"IsInf", isInfOf>, 1, 1, Takes::Numbers}},
    {"isNA", {test<"IsNaN", isNanOf>, 1, 1, Takes::Numbers}},
    {"isNaN", {test<"IsNaN", isNanOf>, 1, 1, Takes::Numbers}},
    {"length", {length, 1, 1, Takes::Anything}},
    {"list", {makeList, 0, 999, Takes::Named}},
    {"log", {logarithm, 1, 2, Takes::Numbers}},
    {"lower.tri", {lowerTriangle, 1, 3, Takes::Named}},
    {"matrix", {makeMatrix, 3, 4, Takes::Named}},
    {"max", {extreme<"ReduceMax", "Max", true>, 1, 99, Takes::Numbers}},
    {"max_pool", {maxPool, 4, 6, Takes::Named}},
    {"max_pool_backward", {maxPoolBackward, 4, 7, Takes::Named}},
    {"mean", {meanOf, 1, 2, Takes::Matrix}},
    {"min", {extreme<"ReduceMin", "Min", false>, 1, 99, Takes::Numbers}},
    {"moment", {moment, 2, 3, Takes::Numbers}},
    {"ncol", {sizeOf<1>, 1, 1, Takes::Anything}},
    {"nrow", {sizeOf<0>, 1, 1, Takes::Anything}},
    {"order", {ordered, 1, 4, Takes::Named}},
    {"outer", {outerProduct, 2, 3, Takes::Named}},
    {"pchisq", {namedDistribution, 2, 3, Takes::Named}},
    {"pexp", {namedDistribution, 1, 3, Takes::Named}},
    {"pf", {namedDistribution, 3, 4, Takes::Named}},
    {"pmax", {extreme<"ReduceMax", "Max", true>, 1, 99, Takes::Numbers}},
    {"pmin", {extreme<"ReduceMin", "Min", false>, 1, 99, Takes::Numbers}},
    {"pnorm", {namedDistribution, 1, 4, Takes::Named}},
    {"ppred", {comparedBy, 3, 3, Takes::Anything}},
    {"prod", {aggregate<"ReduceProd", 2>, 1, 1, Takes::Matrix}},
    {"pt", {namedDistribution, 2, 3, Takes::Named}},
    {"qexp", {namedDistribution, 1, 2, Takes::Named}},
    {"qnorm", {namedDistribution, 1, 3, Takes::Named}},
    {"Rand", {randomMatrix, 2, 9, Takes::Named}},
    {"rand", {randomMatrix, 2, 9, Takes::Named}},
    {"rbind", {bindRows, 1, 99, Takes::Numbers}},
    {"removeEmpty", {removeEmpty, 2, 4, Takes::Named}},
    {"replace", {replace, 3, 3, Takes::Named}},
    {"rev", {reverse, 1, 1, Takes::Matrix}},
    {"round", {roundHalfUp, 1, 1, Takes::Numbers}},
    {"rowCountDistinct", {distinctInRows, 1, 1, Takes::Matrix}},
    {"rowCountDistinctApprox", {distinctInRows, 1, 1, Takes::Matrix}},
    {"rowcumsum", {cumulativeSumOfRows, 1, 1, Takes::Matrix}},
    {"rowIndexMax", {indexInRow<"ReduceMax", true>, 1, 1, Takes::Matrix}},
    {"rowIndexMin", {indexInRow<"ReduceMin", false>, 1, 1, Takes::Matrix}},
    {"rowMaxs", {aggregate<"ReduceMax", 1>, 1, 1, Takes::Matrix}},
    {"rowMeans", {aggregate<"ReduceMean", 1>, 1, 1, Takes::Matrix}},
    {"rowMins", {aggregate<"ReduceMin", 1>, 1, 1, Takes::Matrix}},
    {"rowProds", {aggregate<"ReduceProd", 1>, 1, 1, Takes::Matrix}},
    {"rowSds", {spread<1, true>, 1, 1, Takes::Matrix}},
    {"rowSums", {aggregate<"ReduceSum", 1>, 1, 1, Takes::Matrix}},
    {"rowVars", {spread<1, false>, 1, 1, Takes::Matrix}},
    {"sd", {spread<2, true>, 1, 1, Takes::Matrix}},
    {"seq", {sequence, 2, 3, Takes::Named}},
    {"sigmoid", {each<"Sigmoid", sigmoidOf>, 1, 1, Takes::Numbers}},
    {"sign", {each<"Sign", signOf>, 1, 1, Takes::Numbers}},
    {"sin", {each<"Sin", std::sin>, 1, 1, Takes::Numbers}},
    {"sinh", {each<"Sinh", std::sinh>, 1, 1, Takes::Numbers}},
    {"sqrt", {each<"Sqrt", std::sqrt>, 1, 1, Takes::Numbers}},
    {"sum", {aggregate<"ReduceSum", 2>, 1, 1, Takes::Matrix}},
    {"t", {transpose, 1, 1, Takes::Matrix}},
    {"table", {contingencyTable, 2, 6, Takes::Anything}},
    {"tan", {each<"Tan", std::tan>, 1, 1, Takes::Numbers}},
    {"tanh", {each<"Tanh", std::tanh>, 1, 1, Takes::Numbers}},
    {"time", {timeOfDay, 0, 0, Takes::Named}},
    {"toString", {openText, 1, 9, Takes::Anything}},
    {"tr", {trace, 1, 1, Takes::Matrix}},
    {"trace", {trace, 1, 1, Takes::Matrix}},
    {"upper.tri", {upperTriangle, 1, 3, Takes::Named}},
    {"var", {spread<2, false>, 1, 1, Takes::Matrix}},
    {"xor", {exclusiveOr, 2, 2, Takes::Numbers}},
};

static const BuiltinEntry *findBuiltin(StringRef name) {
  static const auto *byName = [] {
    auto *made = new llvm::StringMap<BuiltinEntry>;
    for (const auto &[key, entry] : builtins)
      made->try_emplace(key, entry);
    return made;
  }();
  auto found = byName->find(name);
  return found == byName->end() ? nullptr : &found->second;
}

static bool hasUnknown(const CallArguments &given) {
  return llvm::any_of(given.positional,
                      [](auto &one) { return one.isUnknown(); }) ||
         llvm::any_of(given.named,
                      [](auto &one) { return one.second.isUnknown(); });
}

/// Why ONNX cannot have a function of SystemDS; "" if we just do not.
static StringRef whyNotOnnx(StringRef name) {
  constexpr StringRef ofFrames =
      " as.frame applySchema colnames correctTypos detectSchema frameSort "
      "dropInvalidLength dropInvalidType freplicate map tokenize "
      "transformapply transformcolmap transformdecode transformencode "
      "transformmeta typeof valueSwap ";
  if (ofFrames.contains((" " + name + " ").str()))
    return ": it works on frames";
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"eval", "evalList"}, ": it calls what a value names")
      .Cases({"eigen", "svd", "qr"}, ": ONNX has no such decomposition")
      .Case("unique", ": the order of its rows is that of a hash table "
                      "(countDistinct() is how many there are)")
      .Case("federated", ": its data is on other machines")
      .Case("paramserv", ": it trains on other machines")
      .Case("sample", ": its numbers are random")
      .Default("");
}

/// An argument needs the value of a $name that has none.
bool Translation::hasMissing(const CallArguments &given) {
  bool isAny = false;
  for (const DmlValue &one : given.positional)
    isAny |= isMissing(given.node.place, one);
  for (const auto &one : given.named)
    isAny |= isMissing(given.node.place, one.getValue());
  return isAny;
}

std::vector<DmlValue> Translation::builtin(const CallArguments &given) {
  const Expr::Node &node = given.node;
  const BuiltinEntry *found = findBuiltin(node.text);
  if (!found) {
    if (auto results = callScript(node.text, given))
      return *results;
    StringRef why = whyNotOnnx(node.text);
    missesFunction |= why.empty();
    return {refuse(node.place, "the function '" + node.text +
                                   "' has no translation" + why)};
  }
  const BuiltinEntry &entry = *found;
  size_t count = given.positional.size() + given.named.size();
  if (count < entry.least || count > entry.most)
    return {refuse(node.place,
                   node.text + "() with " + llvm::Twine(count) +
                       " arguments, expected " + llvm::Twine(entry.least) +
                       (entry.most == entry.least
                            ? ""
                            : " to " + std::to_string(entry.most)))};
  if (hasUnknown(given) || (node.text != "toString" && hasMissing(given)))
    return {DmlValue()};
  bool isNamed = entry.takes == Takes::Named;
  if (!isNamed && given.positional.size() < entry.least)
    return {
        refuse(node.place, node.text + "() with arguments that have names")};
  if (!isNamed && entry.takes != Takes::Anything)
    for (const DmlValue &one : given.positional)
      if (!one.isMatrix() && !one.isScalar())
        return {refuse(node.place, node.text + "() of a text or a list")};
  if (std::string why = problemOfEmpty(given); !why.empty())
    return {refuse(node.place, node.text + "(): " + why)};
  if (entry.takes == Takes::Matrix && !given.positional.front().isMatrix())
    return {
        refuse(node.place, node.text + "() of something that is not a matrix")};
  return {entry.make({*this, given})};
}
