//===- TranslatedMatrices.cpp - Builtins that build and move matrices -----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <map>

using namespace onnxfold::dml;
using llvm::StringRef;

/// Like a value, of another name.
DmlValue onnxfold::dml::like(const DmlValue &value, std::string name) {
  return value.isMatrix()
             ? DmlValue::matrix(std::move(name), value.rows, value.columns)
             : DmlValue::scalar(std::move(name), DmlValue::Double);
}

/// The numbers of "1 2 3"; nothing if a word is none.
static bool numbersOf(StringRef text, std::vector<double> &values) {
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    double value;
    StringRef plain = word.trim("\t\n");
    if (plain == "Infinity" || plain == "-Infinity")
      value = plain[0] == '-' ? -HUGE_VAL : HUGE_VAL;
    else if (plain == "NaN")
      value = std::nan("");
    else if (plain.getAsDouble(value))
      return false;
    values.push_back(value);
  }
  return true;
}

/// matrix(x, byrow=FALSE): the transposed one is read row by row. SystemDS does
/// not look at it for a text.
static DmlValue byColumns(const BuiltinCall &call, const DmlValue &x,
                          const DmlValue &rows, const DmlValue &columns) {
  auto turned = [&](const DmlValue &value) {
    CallArguments inner{call.given.node, {value}};
    return transpose(call.with(inner));
  };
  CallArguments inner{call.given.node, {turned(x), columns, rows}};
  DmlValue made = makeMatrix(call.with(inner));
  return made.isMatrix() ? turned(made) : made;
}

/// matrix(value, rows=, cols=): fills, or reads row by row.
DmlValue onnxfold::dml::makeMatrix(const BuiltinCall &call) {
  if (!call.get("data", 0))
    return call.refuse("no data");
  const DmlValue &x = *call.get("data", 0);
  if (x.type == DmlValue::List || (x.type == DmlValue::Text && x.isOpenText))
    return call.refuse("a list, or a text that depends on values");
  if (x.type == DmlValue::Frame)
    return call.refuse("a frame, which as.matrix() makes a matrix");
  const DmlValue *rows = call.get("rows", 1), *columns = call.get("cols", 2);
  const DmlValue *byRow = call.get("byrow", 3);
  if (byRow && !byRow->number)
    return call.refuse("byrow is not known");
  if (!rows || !columns)
    return call.refuse("rows and cols are not given");
  if (!rows->isScalar() || !columns->isScalar())
    return call.refuse("sizes that are not scalars");
  if (!rows->mayCount() || !columns->mayCount())
    return call.refuse("rows and cols that are not sizes");
  if (byRow && *byRow->number == 0 && x.isMatrix())
    return byColumns(call, x, *rows, *columns);
  int64_t r = rows->size(), c = columns->size();
  if (x.type == DmlValue::Text) {
    std::vector<double> values;
    if (!numbersOf(x.text, values) || int64_t(values.size()) != r * c)
      return call.refuse("the text is not that of " + llvm::Twine(r) + " x " +
                         llvm::Twine(c) + " numbers");
    return DmlValue::matrix(call.graph().matrix(values, r, c), r, c);
  }
  std::string shape = call.to.list({*rows, *columns});
  if (x.isMatrix() && x.rows == r && x.columns == c && r >= 0 && c >= 0)
    return x;
  std::string value = call.to.real(x);
  if (!x.isMatrix())
    return DmlValue::matrix(call.node("Expand", {value, shape}), r, c);
  if (x.rows >= 0 && x.columns >= 0 && r >= 0 && c >= 0 &&
      x.rows * x.columns != r * c)
    return call.refuse(llvm::Twine(x.rows * x.columns) + " elements as " +
                       llvm::Twine(r) + " x " + llvm::Twine(c));
  return DmlValue::matrix(
      call.node("Reshape", {value, shape}, {{"allowzero", {1}}}), r, c);
}

/// Whether seq() counts whole numbers one by one, which is exact.
static bool countsByOne(const DmlValue &from, const DmlValue &last,
                        const DmlValue &by) {
  auto isWhole = [](const DmlValue &one) {
    return one.type == DmlValue::Int ||
           (one.number && std::trunc(*one.number) == *one.number);
  };
  return by.number && std::abs(*by.number) == 1 && isWhole(from) &&
         isWhole(last);
}

/// The number that seq() has after so many steps.
static DmlValue numberAfter(const BuiltinCall &call, const DmlValue &from,
                            const DmlValue &by, const DmlValue &steps) {
  return call.binary("+", from, call.binary("*", steps, by));
}

/// How often seq() takes a step, as SystemDS counts it: it subtracts quotients, so
/// three steps of 0.1 do not reach 0.3, and tries one step more.
static DmlValue stepsOf(const BuiltinCall &call, const DmlValue &from,
                        const DmlValue &last, const DmlValue &by) {
  DmlValue steps =
      call.binary("-", call.binary("/", last, by), call.binary("/", from, by));
  if (steps.number)
    steps.number = std::floor(*steps.number);
  else
    steps.name = call.node("Floor", {steps.name});
  if (countsByOne(from, last, by))
    return steps;
  DmlValue more = call.binary("+", steps, DmlValue::known(1, DmlValue::Int));
  DmlValue left = call.binary("-", last, numberAfter(call, from, by, more));
  if (!by.number)
    left = call.binary("*", left,
                       DmlValue::scalar(call.node("Sign", {call.to.real(by)}),
                                        DmlValue::Double));
  bool isDown = by.number && *by.number < 0;
  DmlValue isReached = call.binary(isDown ? "<=" : ">=", left,
                                   DmlValue::known(0, DmlValue::Int));
  return call.to.select(isReached, more, steps);
}

/// What Range leaves out behind the last number of seq().
static DmlValue limitOf(const BuiltinCall &call, const DmlValue &from,
                        const DmlValue &last, const DmlValue &by,
                        const DmlValue &steps) {
  DmlValue half = call.binary("*", by, DmlValue::known(0.5, DmlValue::Double));
  return call.binary(
      "+",
      countsByOne(from, last, by) ? last : numberAfter(call, from, by, steps),
      half);
}

/// seq(from, to, incr): without a step, up or down by one.
DmlValue onnxfold::dml::sequence(const BuiltinCall &call) {
  const DmlValue *from = call.get("from", 0), *last = call.get("to", 1),
                 *step = call.get("incr", 2);
  if (!from || !last || !from->isScalar() || !last->isScalar() ||
      (step && !step->isScalar()))
    return call.refuse("no numbers");
  DmlValue by = step ? *step : DmlValue::known(1, DmlValue::Int);
  bool isFromOne = from->number == 1 && (!step || step->number == 1);
  if (!step && !(from->number && last->isAtLeast(std::ceil(*from->number)))) {
    DmlValue isDown = call.binary("<", *last, *from);
    by = call.to.select(isDown, DmlValue::known(-1, DmlValue::Int), by);
  }
  if (by.number && *by.number == 0)
    return call.refuse("a step of 0");
  if (by.number && !std::isfinite(*by.number))
    return call.refuse("a step that is not finite");
  DmlValue steps = stepsOf(call, *from, *last, by);
  if (steps.number && !(*steps.number >= 0))
    return call.refuse("no numbers");
  if (!steps.mayCount())
    return call.refuse("too many numbers");
  int64_t count = steps.number ? steps.size() + 1 : -1;
  DmlValue end = limitOf(call, *from, *last, by, steps);
  std::string start = call.to.real(*from), limit = call.to.real(end),
              delta = call.to.real(by);
  std::string range = call.node("Range", {start, limit, delta});
  std::string shape = call.graph().integers({-1, 1});
  DmlValue numbers =
      DmlValue::matrix(call.node("Reshape", {range, shape}), count, 1);
  numbers.isCounting = isFromOne;
  if (last->type == DmlValue::Int)
    numbers.text = last->name; // of a counting column, its end
  return numbers;
}

DmlValue onnxfold::dml::transpose(const BuiltinCall &call) {
  const DmlValue &x = call.first();
  return DmlValue::matrix(
      call.graph().node("Transpose", {x.name}, {{"perm", {1, 0}, true}}),
      x.columns, x.rows);
}

/// The values, and those in lists.
static std::vector<DmlValue> leavesOf(llvm::ArrayRef<DmlValue> values) {
  std::vector<DmlValue> leaves;
  for (const DmlValue &value : values)
    eachLeaf(value, [&](const DmlValue &one) { leaves.push_back(one); });
  return leaves;
}

/// cbind and rbind: scalars are 1 x 1.
static DmlValue bind(const BuiltinCall &call, int axis) {
  std::vector<std::string> parts;
  int64_t total = 0, other = -1;
  std::vector<DmlValue> given = leavesOf(call.given.positional);
  if (given.empty())
    return call.refuse("an empty list");
  for (const DmlValue &one : given) {
    if (one.isUnknown())
      return {};
    if (!one.isMatrix() && !one.isScalar())
      return call.refuse("a text");
    CallArguments inner{call.given.node, {one}};
    DmlValue part = asMatrix(call.with(inner));
    int64_t along = axis == 0 ? part.rows : part.columns,
            across = axis == 0 ? part.columns : part.rows;
    if (other >= 0 && across >= 0 && across != other)
      return call.refuse(llvm::Twine(across) + " and " + llvm::Twine(other) +
                         (axis == 0 ? " columns" : " rows"));
    other = std::max(other, across);
    total = total < 0 || along < 0 ? -1 : total + along;
    parts.push_back(part.name);
  }
  std::string name = call.node("Concat", parts, {{"axis", {axis}}});
  return axis == 0 ? DmlValue::matrix(name, total, other)
                   : DmlValue::matrix(name, other, total);
}

DmlValue onnxfold::dml::reverse(const BuiltinCall &call) {
  const DmlValue &x = call.first();
  OnnxGraph &graph = call.graph();
  std::string from = graph.integers({-1}), to = graph.integers({INT64_MIN}),
              axis = graph.integers({0});
  return like(x, call.node("Slice", {x.name, from, to, axis, from}));
}

static DmlValue cumulative(const BuiltinCall &call, int64_t along) {
  const DmlValue &x = call.first();
  std::string axis = call.graph().integer(along);
  return like(x, call.node("CumSum", {x.name, axis}));
}
DmlValue onnxfold::dml::cumulativeSum(const BuiltinCall &call) {
  return cumulative(call, 0);
}
DmlValue onnxfold::dml::cumulativeSumOfRows(const BuiltinCall &call) {
  return cumulative(call, 1);
}

static std::string matrixOfDiagonal(const BuiltinCall &call,
                                    const std::string &column) {
  OnnxGraph &graph = call.graph();
  std::string turned =
      graph.node("Transpose", {column}, {{"perm", {1, 0}, true}});
  std::string square = call.node("MatMul", {column, turned});
  std::string unit = call.node("EyeLike", {square});
  std::string isOn = graph.cast(unit, onnx::TensorProto::BOOL);
  std::string zero = graph.number(0);
  return call.node("Where", {isOn, column, zero});
}

static std::string diagonalOfMatrix(const BuiltinCall &call,
                                    const std::string &square) {
  OnnxGraph &graph = call.graph();
  std::string unit = call.node("EyeLike", {square});
  std::string isOn = graph.cast(unit, onnx::TensorProto::BOOL);
  std::string zero = graph.number(0);
  std::string kept = call.node("Where", {isOn, square, zero});
  std::string axes = graph.integers({1});
  return call.node("ReduceSum", {kept, axes});
}

/// A column becomes a diagonal, and a square matrix its diagonal; which of the
/// two may be known in the end only.
DmlValue onnxfold::dml::diagonal(const BuiltinCall &call) {
  const DmlValue &x = call.first();
  OnnxGraph &graph = call.graph();
  if (x.columns == 1)
    return DmlValue::matrix(matrixOfDiagonal(call, x.name), x.rows, x.rows);
  if (x.columns >= 0 && x.rows >= 0 && x.rows != x.columns)
    return call.refuse("a matrix that is not square");
  if (x.columns >= 0)
    return DmlValue::matrix(diagonalOfMatrix(call, x.name), x.rows, 1);
  std::string isColumn = call.to.truth(
      call.binary("==", call.to.size(x, 1), DmlValue::known(1, DmlValue::Int)));
  GraphBody *graphs[] = {&graph.newBody(), &graph.newBody()};
  for (int i : {0, 1}) {
    InBody inside(graph, *graphs[i]);
    graph.addBodyOutput(i == 0 ? matrixOfDiagonal(call, x.name)
                               : diagonalOfMatrix(call, x.name),
                        graph.real(), std::vector<int64_t>{-1, -1});
  }
  return DmlValue::matrix(
      graph.branch(isColumn, *graphs[0], *graphs[1]).front());
}

DmlValue onnxfold::dml::trace(const BuiltinCall &call) {
  const DmlValue &x = call.first();
  std::string unit = call.node("EyeLike", {x.name});
  return DmlValue::scalar(
      call.node(
          "ReduceSum",
          {call.node("Where", {call.graph().cast(unit, onnx::TensorProto::BOOL),
                               x.name, call.graph().number(0)})},
          {{"keepdims", {0}}}),
      DmlValue::Double);
}

DmlValue onnxfold::dml::determinant(const BuiltinCall &call) {
  return DmlValue::scalar(call.node("Det", {call.first().name}),
                          DmlValue::Double);
}

DmlValue onnxfold::dml::outerProduct(const BuiltinCall &call) {
  if (call.given.positional.size() < 2)
    return call.refuse("operands that are not a column and a row");
  const DmlValue &x = call.given.positional[0], &y = call.given.positional[1];
  const DmlValue *op = call.get("op", 2);
  if (!x.isMatrix() || !y.isMatrix() || (op && op->type != DmlValue::Text))
    return call.refuse("operands that are not a column and a row");
  StringRef sign = op ? StringRef(op->text) : "*";
  static constexpr StringRef signs[] = {"+", "-",  "*", "/",  "^",  "%%", "%/%",
                                        "<", "<=", ">", ">=", "==", "!="};
  bool isExtreme = sign == "max" || sign == "min";
  if (!isExtreme && !llvm::is_contained(signs, sign))
    return call.refuse("the operator '" + sign + "'");
  // The column as that many columns.
  DmlValue columns = call.to.size(y, 1),
           one = DmlValue::known(1, DmlValue::Int);
  std::string shape = call.to.list({one, columns});
  std::string wide = call.node("Expand", {x.name, shape});
  DmlValue made = DmlValue::matrix(wide, x.rows, y.columns);
  if (!isExtreme)
    return call.binary(sign, made, y);
  if (y.rows > 1)
    return call.refuse("operands that are not a column and a row");
  return like(made, call.node(sign == "max" ? "Max" : "Min", {wide, y.name}));
}

/// einsum("ij,jk->ik", A, B): an operand of one letter is a column, and so is
/// such a result.
DmlValue onnxfold::dml::sumOfProducts(const BuiltinCall &call) {
  const DmlValue &text = call.first();
  auto [left, result] = StringRef(text.text).split("->");
  llvm::SmallVector<StringRef> terms;
  left.split(terms, ',');
  llvm::ArrayRef<DmlValue> operands =
      llvm::ArrayRef(call.given.positional).drop_front();
  if (text.type != DmlValue::Text || text.isOpenText || text.isParameter ||
      !StringRef(text.text).contains("->") || terms.size() != operands.size())
    return call.refuse("no equation like \"ij,jk->ik\" of all operands");
  OnnxGraph &graph = call.graph();
  std::string flat = graph.integers({-1}), equation;
  std::vector<std::string> inputs;
  std::map<char, int64_t> sizes;
  for (auto [term, operand] : llvm::zip(terms, operands)) {
    term = term.trim();
    if (!operand.isMatrix() || term.empty() || term.size() > 2 ||
        !llvm::all_of(term, llvm::isAlpha))
      return call.refuse("expected one or two letters for each matrix");
    if (operand.rows == 1 && operand.columns != 1 && term.size() == 2)
      return call.refuse("a row, which SystemDS 3.4.0 takes for a column");
    sizes[term[0]] = std::max(sizes[term[0]], operand.rows);
    if (term.size() == 2)
      sizes[term[1]] = std::max(sizes[term[1]], operand.columns);
    inputs.push_back(term.size() == 2
                         ? operand.name
                         : call.node("Reshape", {operand.name, flat}));
    equation += (equation.empty() ? "" : ",") + term.str();
  }
  result = result.trim();
  for (char letter : result)
    if (!sizes.contains(letter))
      return call.refuse("the result has a letter that no operand has");
  if (result.size() > 2)
    return call.refuse("a result of more than two letters");
  std::string made =
      call.node("Einsum", inputs,
                {{"equation", {}, false, equation + "->" + result.str()}});
  auto sizeOf = [&](char letter) {
    int64_t size = sizes[letter];
    return size > 0 ? size : -1;
  };
  if (result.empty())
    return DmlValue::scalar(made, DmlValue::Double);
  if (result.size() == 2)
    return DmlValue::matrix(made, sizeOf(result[0]), sizeOf(result[1]));
  std::string column = graph.integers({-1, 1});
  return DmlValue::matrix(call.node("Reshape", {made, column}),
                          sizeOf(result[0]), 1);
}

/// lower.tri and upper.tri: zeros and ones, or the values.
static DmlValue triangle(const BuiltinCall &call, bool isUpper) {
  const DmlValue *x = call.get("target", 0), *diagonal = call.get("diag", 1),
                 *values = call.get("values", 2);
  auto isTrue = [](const DmlValue *one) { return one && one->number == 1; };
  if (!x || !x->isMatrix())
    return call.refuse("no matrix");
  std::string whole = x->name;
  if (!isTrue(values)) {
    std::string shape = call.node("Shape", {x->name});
    std::string one = call.graph().number(1);
    whole = call.node("Expand", {one, shape});
  }
  int64_t k = isTrue(diagonal) ? 0 : isUpper ? 1 : -1;
  std::string which = call.graph().integer(k);
  return like(*x, call.node("Trilu", {whole, which}, {{"upper", {isUpper}}}));
}

/// A number, also one that is given as a text ("Infinity"); unknown for others.
static DmlValue numberOf(const DmlValue *value) {
  std::vector<double> numbers;
  if (value && value->type == DmlValue::Text && !value->isOpenText &&
      numbersOf(value->text, numbers) && numbers.size() == 1)
    return DmlValue::known(numbers.front(), DmlValue::Double);
  return value && value->isScalar() ? *value : DmlValue();
}

std::string onnxfold::dml::equalTo(const BuiltinCall &call, const DmlValue &x,
                                   const DmlValue &number) {
  bool isNaN = number.number && std::isnan(*number.number);
  std::string pattern = call.to.real(number);
  std::string isFound = isNaN ? call.node("IsNaN", {x.name})
                              : call.node("Equal", {x.name, pattern});
  if (number.number)
    return isFound;
  // It may be NaN.
  std::string both = call.node(
      "And", {call.node("IsNaN", {x.name}), call.node("IsNaN", {pattern})});
  return call.node("Or", {isFound, both});
}

/// replace(target=, pattern=, replacement=)
DmlValue onnxfold::dml::replace(const BuiltinCall &call) {
  const DmlValue *x = call.get("target", 0);
  DmlValue pattern = numberOf(call.get("pattern", 1)),
           replacement = numberOf(call.get("replacement", 2));
  if (!x || !x->isMatrix() || pattern.isUnknown() || replacement.isUnknown())
    return call.refuse("no matrix and numbers");
  std::string isFound = equalTo(call, *x, pattern),
              other = call.to.real(replacement);
  return like(*x, call.node("Where", {isFound, other, x->name}));
}

DmlValue onnxfold::dml::bindRows(const BuiltinCall &call) {
  return bind(call, 0);
}
DmlValue onnxfold::dml::bindColumns(const BuiltinCall &call) {
  return bind(call, 1);
}
DmlValue onnxfold::dml::lowerTriangle(const BuiltinCall &call) {
  return triangle(call, /*isUpper=*/false);
}
DmlValue onnxfold::dml::upperTriangle(const BuiltinCall &call) {
  return triangle(call, /*isUpper=*/true);
}
