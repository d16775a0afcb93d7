//===- TranslatedSlices.cpp - Parts of matrices as ONNX nodes -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Translation.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// Rows or columns of a slice, counted from 1; both null: all of them.
struct Bounds {
  std::optional<DmlValue> first, last;
  int64_t count = -1;
};

} // namespace

/// x[i] is x[i, ]
static Expr boundIn(const Expr::Node &slice, size_t index) {
  return index < slice.operands.size() ? slice.operands[index] : Expr();
}

static Bounds boundsOf(const Expr &first, const Expr &last, int64_t size,
                       llvm::function_ref<DmlValue(const Expr &)> evaluate) {
  Bounds bounds;
  bounds.count = size;
  if (!first)
    return bounds;
  bounds.first = evaluate(first);
  bounds.last = last ? evaluate(last) : *bounds.first;
  bounds.count = -1;
  if (!last)
    bounds.count = 1;
  else if (bounds.first->number && bounds.last->number)
    bounds.count = *bounds.last->number - *bounds.first->number + 1;
  return bounds;
}

/// Why there are no such rows or columns; "" if there may be.
static std::string problemOf(const Bounds &bounds, int64_t size) {
  if (!bounds.first)
    return "";
  for (const DmlValue *one : {&*bounds.first, &*bounds.last}) {
    if (!one->isUnknown() && !one->isScalar())
      return "an index that is not a scalar";
    if (one->number &&
        (!(*one->number >= 1) || (size >= 0 && *one->number > size)))
      return "index " + numberText(*one->number) + " of " +
             std::to_string(size);
  }
  return bounds.count == 0 || bounds.count < -1 ? "an empty range" : "";
}

DmlValue Translation::slice(const Expr::Node &node, Variables &variables) {
  DmlValue base = evaluate(node.operands[0], variables);
  if (base.isUnknown())
    return base;
  if (base.type == DmlValue::List)
    return listPart(node, base, variables);
  if (!base.isMatrix())
    return refuse(node.place, "a part of something that is not a matrix");
  if (isUnordered(node.place, base))
    return {};
  base.isCounting = false;
  base.text.clear();
  llvm::SmallVector<DmlValue, 2> starts, ends;
  llvm::SmallVector<int64_t> axes;
  std::optional<DmlValue> single[2]; // one row or column by an open index
  for (int axis : {0, 1}) {
    int64_t &size = axis == 0 ? base.rows : base.columns;
    Bounds bounds =
        boundsOf(boundIn(node, 1 + 2 * axis), boundIn(node, 2 + 2 * axis), size,
                 [&](const Expr &one) { return evaluate(one, variables); });
    if (std::string why = problemOf(bounds, size); !why.empty())
      return refuse(node.place, why);
    size = bounds.count;
    if (!bounds.first)
      continue;
    if (bounds.first->isUnknown() || bounds.last->isUnknown())
      return {};
    DmlValue start =
        binary(node.place, "-", *bounds.first, known(1, DmlValue::Int));
    if (bounds.count == 1 && !start.number) {
      single[axis] = start;
      continue;
    }
    starts.push_back(std::move(start));
    ends.push_back(std::move(*bounds.last));
    axes.push_back(axis);
  }
  if (!axes.empty())
    base.name = graph.node(
        "Slice", {base.name, list(starts), list(ends), graph.integers(axes)});
  for (int axis : {0, 1})
    if (single[axis])
      base.name = graph.node("Gather", {base.name, list(*single[axis])},
                             {{"axis", {axis}}});
  return base;
}

//===----------------------------------------------------------------------===//
// Assignments to parts
//===----------------------------------------------------------------------===//

namespace {

/// Rows and columns of X[a:b, c:d], counted from 1, both ends included.
struct AssignedPart {
  DmlValue first[2], last[2], sizes[2];
  bool isWhole[2] = {false, false}; ///< all rows, all columns

  bool isKnown(int axis) const {
    return first[axis].number && last[axis].number;
  }
  /// One element of a matrix that has others.
  bool isElement() const {
    return !isWhole[0] && !isWhole[1] && sizes[0].number == 1 &&
           sizes[1].number == 1;
  }
};

} // namespace

/// More indices than that are a constant that nobody wants.
constexpr int64_t mostIndices = 4096;

/// One ScatterND, where the places are constants or one row or one element.
/// "" if they are not.
static std::string scatterPart(Translation &to, Place place,
                               const DmlValue &base, const AssignedPart &part,
                               const std::string &value) {
  OnnxGraph &graph = to.onnx();
  auto isOne = [&](int axis) { return part.sizes[axis].number == 1; };
  bool areRows = part.isWhole[1];
  if (!isOne(0) || (!areRows && !isOne(1))) {
    if (!part.isKnown(0) || (!areRows && !part.isKnown(1)))
      return "";
  }
  if (part.isKnown(0) && (areRows || part.isKnown(1))) {
    int64_t rows = part.sizes[0].size(),
            columns = areRows ? 1 : part.sizes[1].size();
    if (rows < 1 || columns < 1 || rows > mostIndices ||
        columns > mostIndices / rows)
      return "";
    std::vector<int64_t> places;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        places.push_back(part.first[0].size() - 1 + i);
        if (!areRows)
          places.push_back(part.first[1].size() - 1 + j);
      }
    std::string indices = areRows ? graph.integers(places, {rows, 1})
                                  : graph.integers(places, {rows, columns, 2});
    return graph.node("ScatterND", {base.name, indices, value});
  }
  DmlValue one = to.known(1, DmlValue::Int);
  std::vector<DmlValue> places;
  for (int axis = 0; axis < (areRows ? 1 : 2); ++axis)
    places.push_back(to.binary(place, "-", part.first[axis], one));
  std::string at = to.list(places);
  std::string shape =
      areRows ? graph.integers({1, 1}) : graph.integers({1, 1, 2});
  std::string indices = graph.node("Reshape", {at, shape});
  return graph.node("ScatterND", {base.name, indices, value});
}

/// What is left and right of a value in its rows, then what is above and below.
static std::string surrounded(Translation &to, Place place,
                              const DmlValue &base, const AssignedPart &part,
                              std::string value) {
  OnnxGraph &graph = to.onnx();
  DmlValue one = to.known(1, DmlValue::Int), none = to.known(0, DmlValue::Int);
  auto cut = [&](const std::string &of, int axis, const DmlValue &from,
                 const DmlValue *end) {
    std::string start = to.list(from),
                stop = end ? to.list(*end) : graph.integers({INT64_MAX}),
                axes = graph.integers({axis});
    return graph.node("Slice", {of, start, stop, axes});
  };
  for (int axis : {1, 0}) {
    if (part.isWhole[axis])
      continue;
    std::string whole = base.name;
    DmlValue before = to.binary(place, "-", part.first[axis], one);
    if (axis == 1 && !part.isWhole[0]) {
      DmlValue above = to.binary(place, "-", part.first[0], one);
      whole = cut(base.name, 0, above, &part.last[0]);
    }
    std::vector<std::string> pieces;
    if (!before.number || *before.number > 0)
      pieces.push_back(cut(whole, axis, none, &before));
    pieces.push_back(value);
    int64_t size = axis == 0 ? base.rows : base.columns;
    if (!part.last[axis].number || *part.last[axis].number != size)
      pieces.push_back(cut(whole, axis, part.last[axis], nullptr));
    if (pieces.size() > 1)
      value = graph.node("Concat", pieces, {{"axis", {axis}}});
  }
  return value;
}

/// X[a:b, c:d] = value
void Translation::assignPart(const Expr::Node &target, const DmlValue &value,
                             Variables &variables) {
  DmlValue base = evaluate(target.operands[0], variables);
  StringRef name = (*target.operands[0]).text;
  auto fail = [&](const llvm::Twine &why) {
    refuse(target.place, why);
    variables[name] = {};
  };
  if (base.isUnknown() || value.isUnknown() ||
      isUnordered(target.place, base) || isUnordered(target.place, value)) {
    variables[name] = {};
    return;
  }
  if (!base.isMatrix() || (!value.isMatrix() && !value.isScalar()))
    return fail("an assignment to a part of something that is not a matrix");
  AssignedPart part;
  DmlValue one = known(1, DmlValue::Int);
  for (int axis : {0, 1}) {
    int64_t size = axis == 0 ? base.rows : base.columns;
    Bounds bounds = boundsOf(
        boundIn(target, 1 + 2 * axis), boundIn(target, 2 + 2 * axis), size,
        [&](const Expr &expr) { return evaluate(expr, variables); });
    std::string why = problemOf(bounds, size);
    int64_t given = axis == 0 ? value.rows : value.columns;
    if (why.empty() && value.isMatrix() && bounds.count >= 0 && given >= 0 &&
        given != bounds.count)
      why = "a matrix of " + sizeText(value) + " for " +
            std::to_string(bounds.count) + (axis == 0 ? " rows" : " columns");
    if (!why.empty())
      return fail(why);
    if (bounds.first &&
        (bounds.first->isUnknown() || bounds.last->isUnknown())) {
      variables[name] = {};
      return;
    }
    part.first[axis] = bounds.first ? *bounds.first : one;
    part.last[axis] = bounds.first ? *bounds.last : this->size(base, axis);
    part.isWhole[axis] =
        !bounds.first || (part.isKnown(axis) && *part.first[axis].number == 1 &&
                          *part.last[axis].number == double(size));
    part.sizes[axis] = bounds.count >= 0
                           ? known(bounds.count, DmlValue::Int)
                           : binary(target.place, "+",
                                    binary(target.place, "-", part.last[axis],
                                           part.first[axis]),
                                    one);
  }
  if (value.isScalar() && part.isElement() &&
      !(part.isKnown(0) && part.isKnown(1))) {
    std::string at = list({binary(target.place, "-", part.first[0], one),
                           binary(target.place, "-", part.first[1], one)}),
                element = real(value);
    variables[name] = matrix(graph.node("ScatterND", {base.name, at, element}),
                             base.rows, base.columns);
    return;
  }
  std::string made =
      value.isMatrix() ? value.name
                       : graph.node("Expand", {real(value), list(part.sizes)});
  if (!part.isWhole[0] || !part.isWhole[1]) {
    std::string scattered = scatterPart(*this, target.place, base, part, made);
    made = scattered.empty() ? surrounded(*this, target.place, base, part, made)
                             : scattered;
  }
  variables[name] = matrix(made, base.rows, base.columns);
}
