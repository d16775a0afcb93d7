//===- TranslatedAggregates.cpp - Sums and their kind as nodes -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// What a function of DML means stands in docs/dml.md where it is not what its
// name says.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

/// axis 0: of columns, 1: of rows, 2: of all, a scalar.
static DmlValue reduced(const BuiltinCall &call, StringRef op, int axis) {
  const DmlValue &x = call.first();
  std::string axes =
      axis == 2 ? call.graph().integers({0, 1}) : call.graph().integers({axis});
  std::string name = call.node(op, {x.name, axes}, {{"keepdims", {axis != 2}}});
  if (axis == 2)
    return DmlValue::scalar(name, DmlValue::Double);
  return axis == 0 ? DmlValue::matrix(name, 1, x.columns)
                   : DmlValue::matrix(name, x.rows, 1);
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
  DmlValue mean = reduced(call, "ReduceMean", axis);
  std::string rest = call.node("Sub", {x.name, call.to.real(mean)});
  std::string square = call.node("Mul", {rest, rest});
  CallArguments inner{call.given.node, {like(x, square)}};
  DmlValue sum = reduced(call.with(inner), "ReduceSum", axis);
  DmlValue count =
      axis == 1   ? call.to.size(x, 1)
      : axis == 0 ? call.to.size(x, 0)
                  : call.binary("*", call.to.size(x, 0), call.to.size(x, 1));
  DmlValue result = call.binary("/", sum, degreesOfFreedom(call, count));
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
  DmlValue end =
      call.binary("+", call.to.size(x, 1), DmlValue::known(1, DmlValue::Int));
  std::string places = call.node("Range", {one, call.to.real(end), one});
  std::string found = call.node("Where", {isBest, places, one});
  return DmlValue::matrix(call.node("ReduceMax", {found, axis}), x.rows, 1);
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
      result = DmlValue::known(takesB && !std::isnan(a) ? b : a,
                               areInts ? DmlValue::Int : DmlValue::Double);
    } else if (areInts) {
      std::string a = call.to.integer(result), b = call.to.integer(one);
      result = DmlValue::scalar(call.node(op.value, {a, b}), DmlValue::Int);
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
      result = like(wide, call.node(op.value, {a, b}));
    }
  }
  return result;
}

static constexpr BuiltinEntry aggregates[] = {
    {"avg", oneMatrix, aggregate<"ReduceMean", 2>},
    {"colMaxs", oneMatrix, aggregate<"ReduceMax", 0>},
    {"colMeans", oneMatrix, aggregate<"ReduceMean", 0>},
    {"colMins", oneMatrix, aggregate<"ReduceMin", 0>},
    {"colProds", oneMatrix, aggregate<"ReduceProd", 0>},
    {"colSds", oneMatrix, spread<0, true>},
    {"colSums", oneMatrix, aggregate<"ReduceSum", 0>},
    {"colVars", oneMatrix, spread<0, false>},
    {"max pmax", numbers(1, 99), extreme<"ReduceMax", "Max", true>},
    {"mean", matrices(1, 2), meanOf},
    {"min pmin", numbers(1, 99), extreme<"ReduceMin", "Min", false>},
    {"prod", oneMatrix, aggregate<"ReduceProd", 2>},
    {"rowIndexMax", oneMatrix, indexInRow<"ReduceMax", true>},
    {"rowIndexMin", oneMatrix, indexInRow<"ReduceMin", false>},
    {"rowMaxs", oneMatrix, aggregate<"ReduceMax", 1>},
    {"rowMeans", oneMatrix, aggregate<"ReduceMean", 1>},
    {"rowMins", oneMatrix, aggregate<"ReduceMin", 1>},
    {"rowProds", oneMatrix, aggregate<"ReduceProd", 1>},
    {"rowSds", oneMatrix, spread<1, true>},
    {"rowSums", oneMatrix, aggregate<"ReduceSum", 1>},
    {"rowVars", oneMatrix, spread<1, false>},
    {"sd", oneMatrix, spread<2, true>},
    {"sum", oneMatrix, aggregate<"ReduceSum", 2>},
    {"var", oneMatrix, spread<2, false>},
};

llvm::ArrayRef<BuiltinEntry> onnxfold::dml::aggregateBuiltins() {
  return aggregates;
}
