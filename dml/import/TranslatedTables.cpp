//===- TranslatedTables.cpp - table, order, removeEmpty -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// table
//===----------------------------------------------------------------------===//

/// Row r has a one in the column that column `of` names there, from 1; none, if
/// there is no such column.
static std::string indicator(const BuiltinCall &call, const DmlValue &of,
                             const DmlValue &columns) {
  DmlValue one = DmlValue::known(1, DmlValue::Int);
  DmlValue end = call.binary("+", columns, one);
  std::string first = call.graph().number(1), limit = call.to.real(end);
  std::string numbers = call.node("Range", {first, limit, first});
  std::string at = call.node("Floor", {of.name});
  std::string isThere = call.node("Equal", {at, numbers});
  return call.graph().asReal(isThere);
}

/// The largest number of a column, as a size.
static DmlValue largest(const BuiltinCall &call, const DmlValue &column) {
  std::string most = call.node("ReduceMax", {column.name}, {{"keepdims", {0}}});
  return DmlValue::scalar(call.graph().cast(most, onnx::TensorProto::INT64),
                          DmlValue::Int);
}

namespace {

/// What table() gets: places, sizes, and perhaps weights.
struct TableCall {
  DmlValue places[2], sizes[2];
  std::optional<DmlValue> weights;
  bool isWhole = false; ///< sizes are not given
};

} // namespace

/// Whether places are 1, 2, ... up to that size.
static bool countsTo(const DmlValue &places, const DmlValue &size) {
  if (!places.isCounting)
    return false;
  return size.number ? *size.number == double(places.rows)
                     : !size.name.empty() && size.name == places.text;
}

/// Sums of weights, which may be infinite, so no matrix product. What is
/// outside is added to a row and a column that are cut off.
static std::string scattered(const BuiltinCall &call, const TableCall &table) {
  OnnxGraph &graph = call.graph();
  DmlValue one = DmlValue::known(1, DmlValue::Int);
  std::vector<std::string> columns;
  std::vector<DmlValue> sizes;
  for (int i : {0, 1}) {
    std::string at = graph.cast(table.places[i].name, onnx::TensorProto::INT64);
    std::string size = call.to.integer(table.sizes[i]);
    std::string below = graph.node("Sub", {at, graph.integer(1)});
    std::string isIn = graph.node("LessOrEqual", {at, size});
    columns.push_back(graph.node("Where", {isIn, below, size}));
    sizes.push_back(call.binary("+", table.sizes[i], one));
  }
  std::string indices = graph.node("Concat", columns, {{"axis", {1}}});
  std::string zero = graph.number(0), shape = call.to.list(sizes);
  std::string empty = graph.node("Expand", {zero, shape});
  std::string minus = graph.integers({-1});
  std::string weights = graph.node("Reshape", {table.weights->name, minus});
  std::string all = graph.node("ScatterND", {empty, indices, weights},
                               {{"reduction", {}, false, "add"}});
  std::string start = graph.integers({0, 0}), end = call.to.list(table.sizes);
  return graph.node("Slice", {all, start, end});
}

/// The cells of a matrix, row by row; a scalar is as many equal ones.
static DmlValue asColumn(const BuiltinCall &call, const DmlValue &value,
                         bool areColumns, const DmlValue &rows) {
  if (value.isMatrix() && value.columns == 1)
    return value;
  if (value.isMatrix() && areColumns) { // an error where it is none
    std::string shape = call.graph().integers({0, 1});
    return DmlValue::matrix(call.node("Reshape", {value.name, shape}),
                            value.rows, 1);
  }
  if (value.isMatrix()) {
    bool isKnown = value.rows >= 0 && value.columns >= 0;
    std::string shape = call.graph().integers({-1, 1});
    return DmlValue::matrix(call.node("Reshape", {value.name, shape}),
                            isKnown ? value.rows * value.columns : -1, 1);
  }
  DmlValue one = DmlValue::known(1, DmlValue::Int);
  std::string shape = call.to.list({rows, one}), number = call.to.real(value);
  return DmlValue::matrix(call.node("Expand", {number, shape}), rows.size(), 1);
}

/// Why matrices are not of one size; "" if they may be.
static std::string problemOfSizes(llvm::ArrayRef<DmlValue> given) {
  const DmlValue *first = nullptr;
  for (const DmlValue &one : given) {
    if (!one.isMatrix())
      continue;
    auto differs = [](int64_t x, int64_t y) {
      return x >= 0 && y >= 0 && x != y;
    };
    if (first && (differs(first->rows, one.rows) ||
                  differs(first->columns, one.columns)))
      return "matrices of " + sizeText(*first) + " and " + sizeText(one) +
             ", expected one size";
    first = first ? first : &one;
  }
  return "";
}

/// Where the ones are, and how many rows and columns there are.
static TableCall placesOf(const BuiltinCall &call,
                          std::vector<DmlValue> given) {
  TableCall table;
  if (given.size() == 3 || given.size() == 5) {
    table.weights = given[2];
    given.erase(given.begin() + 2);
  }
  table.isWhole = given.size() == 2;
  // All matrices have one size, so if one is a column they all are.
  bool areColumns = llvm::any_of(
      given, [](auto &one) { return one.isMatrix() && one.columns == 1; });
  DmlValue rows = DmlValue::known(1, DmlValue::Int);
  if (given[0].isMatrix() || given[1].isMatrix())
    rows = call.to.size(
        asColumn(call, given[given[0].isMatrix() ? 0 : 1], areColumns, rows),
        0);
  for (int i : {0, 1}) {
    DmlValue &places = table.places[i] =
        asColumn(call, given[i], areColumns, rows);
    table.sizes[i] = !table.isWhole      ? call.to.whole(given[2 + i])
                     : places.isCounting ? call.to.size(places, 0)
                     : given[i].number   ? call.to.whole(given[i])
                                         : largest(call, places);
  }
  return table;
}

/// Without weights: how often each place is named.
static std::string counted(const BuiltinCall &call, const TableCall &table) {
  auto counts = [&](int i) {
    return countsTo(table.places[i], table.sizes[i]) ||
           (table.isWhole && table.places[i].isCounting);
  };
  if (counts(0))
    return indicator(call, table.places[1], table.sizes[1]);
  // A product of zeros and ones counts exactly.
  std::string left = indicator(call, table.places[0], table.sizes[0]);
  left = call.node("Transpose", {left}, {{"perm", {1, 0}, true}});
  if (counts(1))
    return left;
  std::string right = indicator(call, table.places[1], table.sizes[1]);
  return call.node("MatMul", {left, right});
}

/// table(rows, columns), with weights, or sizes, or both.
DmlValue onnxfold::dml::contingencyTable(const BuiltinCall &call) {
  for (const DmlValue &one : call.given.positional)
    if (!one.isMatrix() && !one.isScalar())
      return call.refuse("a text or a list");
  // The sixth says how SystemDS keeps the result.
  llvm::ArrayRef<DmlValue> given =
      llvm::ArrayRef(call.given.positional).take_front(5);
  if (std::string why = problemOfSizes(given); !why.empty())
    return call.refuse(why);
  TableCall table = placesOf(call, given.vec());
  bool isScaled = table.weights && table.weights->isScalar();
  std::string name = table.weights && !isScaled ? scattered(call, table)
                                                : counted(call, table);
  DmlValue result =
      DmlValue::matrix(name, table.sizes[0].size(), table.sizes[1].size());
  if (isScaled && table.weights->number != 1)
    result = call.binary("*", result, *table.weights);
  return result;
}

//===----------------------------------------------------------------------===//
// order
//===----------------------------------------------------------------------===//

static bool isKnownTrue(const DmlValue *value) {
  return value && value->number == 1;
}

namespace {

/// The elements of a column, or of its places, that are numbers, and those that
/// are NaN: TopK of ONNX Runtime loses numbers that are compared with NaN.
class OrderedKeys {
public:
  OrderedKeys(const BuiltinCall &call, const std::string &column) : call(call) {
    list = call.node("Reshape", {column, call.graph().integers({-1})});
    isNan = call.node("IsNaN", {list});
    isNumber = call.node("Not", {isNan});
  }

  /// In order; of equal ones the first comes first. NaN is the largest, as
  /// SystemDS has it for one column.
  std::string sorted(bool isDown) const {
    return joined(top(isDown)[0], call.node("Compress", {list, isNan}), isDown);
  }
  /// Their places, from 0.
  std::string order(bool isDown) const {
    OnnxGraph &graph = call.graph();
    std::string size = graph.node("Size", {list}), zero = graph.integer(0);
    std::string places = graph.node("Range", {zero, size, graph.integer(1)});
    std::string ofNumbers = call.node("Compress", {places, isNumber}),
                others = call.node("Compress", {places, isNan});
    return joined(call.node("Gather", {ofNumbers, top(isDown)[1]}), others,
                  isDown);
  }

private:
  std::vector<std::string> top(bool isDown) const {
    std::string numbers = call.node("Compress", {list, isNumber});
    std::string count = call.node("Shape", {numbers});
    return call.graph().nodes("TopK", {numbers, count}, 2,
                              {{"axis", {0}}, {"largest", {isDown}}});
  }
  std::string joined(const std::string &numbers, const std::string &others,
                     bool isDown) const {
    return isDown ? call.node("Concat", {others, numbers}, {{"axis", {0}}})
                  : call.node("Concat", {numbers, others}, {{"axis", {0}}});
  }

  const BuiltinCall &call;
  std::string list, isNan, isNumber;
};

} // namespace

/// order() by several columns, which are a matrix.
static DmlValue orderedByEach(const BuiltinCall &call, const DmlValue &x,
                              const DmlValue &by, bool isDown, bool isIndex) {
  CallArguments inner{call.given.node, {}};
  inner.named["target"] = x;
  inner.named["by"] = by;
  inner.named["decreasing"] = DmlValue::known(isDown, DmlValue::Boolean);
  inner.named["index"] = DmlValue::known(isIndex, DmlValue::Boolean);
  return call.callOwn("order", "order_by_each", inner);
}

/// order() with a flag that values decide: one of two results.
static DmlValue orderedByFlag(const BuiltinCall &call, StringRef key,
                              size_t index, const DmlValue &flag) {
  auto ofFlag = [&](bool isSet) {
    CallArguments inner = call.given;
    DmlValue known = DmlValue::known(isSet, DmlValue::Boolean);
    if (inner.named.contains(key))
      inner.named[key] = known;
    else
      inner.positional[index] = known;
    return ordered(call.with(inner));
  };
  DmlValue yes = ofFlag(true), no = ofFlag(false);
  return yes.isUnknown() || no.isUnknown() ? DmlValue()
                                           : call.to.select(flag, yes, no);
}

/// order(target=, by=, decreasing=, index.return=): stable, equal rows keep
/// their order. Of several columns, and as indices, SystemDS puts NaN anywhere.
DmlValue onnxfold::dml::ordered(const BuiltinCall &call) {
  const DmlValue *x = call.get("target", 0), *by = call.get("by", 1);
  const DmlValue *isDown = call.get("decreasing", 2),
                 *isIndex = call.get("index.return", 3);
  if (!x || !x->isMatrix() || (by && !by->isScalar() && !by->isMatrix()))
    return call.refuse("no matrix, or by is neither a number nor a matrix");
  for (const DmlValue *flag : {isDown, isIndex})
    if (flag && !flag->isScalar())
      return call.refuse("decreasing or index.return is not a scalar");
  if (isDown && !isDown->number)
    return orderedByFlag(call, "decreasing", 2, *isDown);
  if (isIndex && !isIndex->number)
    return orderedByFlag(call, "index.return", 3, *isIndex);
  if (x->isUnordered && (x->columns != 1 || isKnownTrue(isIndex)))
    return call.refuse("the order of a hash table, in more than one column or "
                       "as indices");
  if (by && by->isMatrix())
    return orderedByEach(call, *x, *by, isKnownTrue(isDown),
                         isKnownTrue(isIndex));
  OnnxGraph &graph = call.graph();
  DmlValue one = DmlValue::known(1, DmlValue::Int);
  DmlValue column = by ? *by : one;
  std::string key = x->name;
  if (x->columns != 1) {
    DmlValue before = call.binary("-", column, one);
    std::string start = call.to.list({before}), end = call.to.list({column}),
                axis = graph.integers({1});
    key = graph.node("Slice", {x->name, start, end, axis});
  }
  OrderedKeys keys(call, key);
  std::string upright = graph.integers({-1, 1});
  if (x->columns == 1 && !isKnownTrue(isIndex))
    return like(
        *x, graph.node("Reshape", {keys.sorted(isKnownTrue(isDown)), upright}));
  std::string order = keys.order(isKnownTrue(isDown));
  if (!isKnownTrue(isIndex))
    return like(*x, graph.node("Gather", {x->name, order}, {{"axis", {0}}}));
  std::string index = graph.cast(order, graph.real());
  std::string counted = graph.node("Add", {index, graph.number(1)});
  return DmlValue::matrix(graph.node("Reshape", {counted, upright}), x->rows,
                          1);
}

//===----------------------------------------------------------------------===//
// removeEmpty
//===----------------------------------------------------------------------===//

/// A vector of an element for each row or column; "" if that may be.
static std::string problemOfSelection(const DmlValue &select,
                                      const DmlValue &of, int axis) {
  int64_t count = axis == 0 ? of.rows : of.columns;
  bool isKnown = select.rows >= 0 && select.columns >= 0;
  bool isVector = select.rows == 1 || select.columns == 1 || !isKnown;
  if (isVector &&
      (!isKnown || count < 0 || select.rows * select.columns == count))
    return "";
  return "select is " + sizeText(select) +
         ", expected an element for each of " + std::to_string(count) +
         (axis == 0 ? " rows" : " columns");
}

/// Rows or columns that are selected, or not all zero; a row or column of zeros
/// if there is none, unless empty.return=FALSE. SystemDS keeps the column of a
/// matrix of one, selected or not.
DmlValue onnxfold::dml::removeEmpty(const BuiltinCall &call) {
  const DmlValue *x = call.get("target", 0), *margin = call.get("margin", 1);
  const DmlValue *select = call.get("select", 2),
                 *isKept = call.get("empty.return", 3);
  if (!x || !x->isMatrix() || !margin || (select && !select->isMatrix()))
    return call.refuse("no matrix and margin");
  if (margin->text != "rows" && margin->text != "cols")
    return call.refuse("margin is '" + margin->text +
                       "', expected \"rows\" or \"cols\"");
  OnnxGraph &graph = call.graph();
  int axis = margin->text == "rows" ? 0 : 1;
  if (std::string why = select ? problemOfSelection(*select, *x, axis) : "";
      !why.empty())
    return call.refuse(why);
  if (axis == 1 && x->columns == 1 && select)
    return *x;
  std::string isSet = graph.truthOf((select ? *select : *x).name);
  if (!select) {
    std::string ones = graph.cast(isSet, onnx::TensorProto::INT64);
    std::string other = graph.integers({1 - axis});
    std::string any = graph.node("ReduceMax", {ones, other});
    isSet = graph.cast(any, onnx::TensorProto::BOOL);
  }
  std::string flat = graph.integers({-1});
  std::string test = graph.node("Reshape", {isSet, flat}), data = x->name;
  if (axis == 1 && x->columns < 0 && select) {
    DmlValue isOne = call.binary("==", call.to.size(*x, 1),
                                 DmlValue::known(1, DmlValue::Int));
    test = graph.node("Or", {test, call.to.truth(isOne)});
  }
  if (!isKept || isKnownTrue(isKept)) {
    std::string ones = graph.cast(test, onnx::TensorProto::INT64);
    std::string most = graph.node("ReduceMax", {ones});
    std::string isNone =
        graph.node("Not", {graph.cast(most, onnx::TensorProto::BOOL)});
    test = graph.node("Concat", {test, isNone}, {{"axis", {0}}});
    DmlValue one = DmlValue::known(1, DmlValue::Int),
             other = call.to.size(*x, 1 - axis);
    std::string shape =
        axis == 0 ? call.to.list({one, other}) : call.to.list({other, one});
    std::string zeros = graph.node("Expand", {graph.number(0), shape});
    data = graph.node("Concat", {data, zeros}, {{"axis", {axis}}});
  }
  std::string kept = graph.node("Compress", {data, test}, {{"axis", {axis}}});
  return axis == 0 ? DmlValue::matrix(kept, -1, x->columns)
                   : DmlValue::matrix(kept, x->rows, -1);
}

//===----------------------------------------------------------------------===//
// contains
//===----------------------------------------------------------------------===//

DmlValue onnxfold::dml::contains(const BuiltinCall &call) {
  const DmlValue *x = call.get("target", 0), *pattern = call.get("pattern", 1);
  if (!x || !x->isMatrix() || !pattern || !pattern->isScalar())
    return call.refuse("no matrix and number");
  std::string ones =
      call.graph().cast(equalTo(call, *x, *pattern), onnx::TensorProto::INT64);
  std::string most = call.node("ReduceMax", {ones}, {{"keepdims", {0}}});
  return DmlValue::scalar(call.graph().cast(most, onnx::TensorProto::BOOL),
                          DmlValue::Boolean);
}
