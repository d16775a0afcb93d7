//===- Parts.cpp - Parts of matrices and lists ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Parts.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;

static DmlValue knownInt(int64_t number) {
  return DmlValue::known(number, DmlValue::Int);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// x[i] is x[i, ]
static Expr boundIn(const Expr::Node &slice, size_t index) {
  return index < slice.operands.size() ? slice.operands[index] : Expr();
}

Parts::Bounds Parts::boundsOf(const Expr::Node &slice, int axis, int64_t size) {
  Expr first = boundIn(slice, 1 + 2 * axis),
       last = boundIn(slice, 2 + 2 * axis);
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

std::string Parts::Bounds::problem(int64_t size) const {
  if (!first)
    return "";
  for (const DmlValue *one : {&*first, &*last}) {
    if (!one->isUnknown() && !one->isScalar())
      return "an index that is not a scalar";
    if (one->number &&
        (!(*one->number >= 1) || (size >= 0 && *one->number > size)))
      return "index " + numberText(*one->number) + " of " +
             std::to_string(size);
  }
  return count == 0 || count < -1 ? "an empty range" : "";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

DmlValue Parts::of(const Expr::Node &slice, DmlValue base) {
  if (base.isUnknown())
    return base;
  if (base.type == DmlValue::List)
    return ofList(slice, base);
  if (!base.isMatrix())
    return refusals.refuse(slice.place,
                           "a part of something that is not a matrix");
  if (refusals.isUnordered(slice.place, base))
    return {};
  return ofMatrix(slice, std::move(base));
}

DmlValue Parts::ofMatrix(const Expr::Node &slice, DmlValue base) {
  base.isCounting = false;
  base.text.clear();
  llvm::SmallVector<DmlValue, 2> starts, ends;
  llvm::SmallVector<int64_t> axes;
  std::optional<DmlValue> single[2]; // one row or column by an open index
  for (int axis : {0, 1}) {
    int64_t &size = axis == 0 ? base.rows : base.columns;
    Bounds bounds = boundsOf(slice, axis, size);
    if (std::string why = bounds.problem(size); !why.empty())
      return refusals.refuse(slice.place, why);
    size = bounds.count;
    if (!bounds.first)
      continue;
    if (bounds.isUnknown())
      return {};
    DmlValue start =
        operators.binary(slice.place, "-", *bounds.first, knownInt(1));
    if (bounds.count == 1 && !start.number) {
      single[axis] = start;
      continue;
    }
    starts.push_back(std::move(start));
    ends.push_back(std::move(*bounds.last));
    axes.push_back(axis);
  }
  if (!axes.empty())
    base.name = graph.node("Slice", {base.name, emitter.list(starts),
                                     emitter.list(ends), graph.integers(axes)});
  for (int axis : {0, 1})
    if (single[axis])
      base.name = graph.node("Gather", {base.name, emitter.list(*single[axis])},
                             {{"axis", {axis}}});
  return base;
}

/// The place of an element, from 0.
std::optional<size_t> Parts::placeOf(Place place, const DmlValue &list,
                                     const DmlValue &index) {
  auto refused = [&](const llvm::Twine &why) {
    refusals.refuse(place, why);
    return std::nullopt;
  };
  if (index.isUnknown())
    return std::nullopt;
  if (index.type == DmlValue::Text && !index.isOpenText) {
    auto found = llvm::find(list.keys, index.text);
    if (found == list.keys.end())
      return refused("the list has no element '" + index.text + "'");
    return found - list.keys.begin();
  }
  if (!index.number)
    return refused("an element of a list that is not known");
  size_t count = list.elements.size();
  if (!(*index.number >= 1) || !(*index.number < double(count + 1))) // NaN, too
    return refused("element " + numberText(*index.number) + " of a list of " +
                   llvm::Twine(count));
  return size_t(*index.number) - 1;
}

std::optional<Parts::Range> Parts::rangeOf(const Expr::Node &slice,
                                           const DmlValue &list) {
  auto refused = [&](const llvm::Twine &why) {
    refusals.refuse(slice.place, why);
    return std::nullopt;
  };
  if (slice.operands.size() != 3)
    return refused("rows and columns of a list");
  if (list.isOpenText)
    return refused("an element of a list whose length depends on values");
  std::optional<size_t> first = placeOf(slice.place, list,
                                        evaluate(slice.operands[1])),
                        last = first;
  if (slice.operands[2])
    last = placeOf(slice.place, list, evaluate(slice.operands[2]));
  if (!first || !last)
    return std::nullopt;
  if (*last < *first)
    return refused("an empty range of a list");
  return Range{*first, *last};
}

/// list["key"], list[i], list[i:j]
DmlValue Parts::ofList(const Expr::Node &slice, const DmlValue &list) {
  std::optional<Range> range = rangeOf(slice, list);
  if (!range)
    return {};
  DmlValue part;
  part.type = DmlValue::List;
  for (size_t i = range->first; i <= range->last; ++i) {
    part.elements.push_back(list.elements[i]);
    part.keys.push_back(list.keyOf(i));
  }
  return part;
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

/// More indices than that are a constant that nobody wants.
constexpr int64_t mostIndices = 4096;

/// One ScatterND, where the places are constants or one row or one element.
/// "" if they are not.
std::string Parts::scatter(Place place, const DmlValue &base,
                           const Assigned &part, const std::string &value) {
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
  auto fromZero = [&](int axis) {
    return operators.binary(place, "-", part.first[axis], knownInt(1));
  };
  std::vector<DmlValue> places = {fromZero(0)};
  if (!areRows)
    places.push_back(fromZero(1));
  std::string at = emitter.list(places);
  std::string shape =
      areRows ? graph.integers({1, 1}) : graph.integers({1, 1, 2});
  std::string indices = graph.node("Reshape", {at, shape});
  return graph.node("ScatterND", {base.name, indices, value});
}

/// What is left and right of a value in its rows, then what is above and below.
std::string Parts::surround(Place place, const DmlValue &base,
                            const Assigned &part, std::string value) {
  DmlValue one = knownInt(1), none = knownInt(0);
  auto cut = [&](const std::string &of, int axis, const DmlValue &from,
                 const DmlValue *end) {
    std::string start = emitter.list(from),
                stop = end ? emitter.list(*end) : graph.integers({INT64_MAX}),
                axes = graph.integers({axis});
    return graph.node("Slice", {of, start, stop, axes});
  };
  for (int axis : {1, 0}) {
    if (part.isWhole[axis])
      continue;
    std::string whole = base.name;
    DmlValue before = operators.binary(place, "-", part.first[axis], one);
    if (axis == 1 && !part.isWhole[0]) {
      DmlValue above = operators.binary(place, "-", part.first[0], one);
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

/// Reads the rows or columns of a target. Returns why there are no such, or
/// nothing; an index may be unknown.
std::string Parts::addAxis(Assigned &part, int axis, const Expr::Node &target,
                           const DmlValue &base, const DmlValue &value) {
  int64_t size = axis == 0 ? base.rows : base.columns,
          given = axis == 0 ? value.rows : value.columns;
  Bounds bounds = boundsOf(target, axis, size);
  if (std::string why = bounds.problem(size); !why.empty())
    return why;
  if (value.isMatrix() && bounds.count >= 0 && given >= 0 &&
      given != bounds.count)
    return "a matrix of " + sizeText(value) + " for " +
           std::to_string(bounds.count) + (axis == 0 ? " rows" : " columns");
  DmlValue one = knownInt(1);
  part.first[axis] = bounds.first ? *bounds.first : one;
  part.last[axis] = bounds.first ? *bounds.last : emitter.size(base, axis);
  if (bounds.isUnknown()) {
    part.sizes[axis] = {};
    return "";
  }
  part.isWhole[axis] =
      !bounds.first || (part.isKnown(axis) && *part.first[axis].number == 1 &&
                        *part.last[axis].number == double(size));
  part.sizes[axis] = bounds.count >= 0
                         ? knownInt(bounds.count)
                         : operators.binary(target.place, "+",
                                            operators.binary(target.place, "-",
                                                             part.last[axis],
                                                             part.first[axis]),
                                            one);
  return "";
}

/// Elements of a list are taken one by one, with their keys where both lists
/// have some, or where all are replaced.
DmlValue Parts::assignedList(const Expr::Node &target, DmlValue list,
                             const DmlValue &value) {
  std::optional<Range> range = rangeOf(target, list);
  if (!range)
    return {};
  bool isList = value.type == DmlValue::List;
  size_t count = range->last - range->first + 1,
         given = isList ? value.elements.size() : 1;
  if (given != count || value.isOpenText)
    return refusals.refuse(target.place, llvm::Twine(given) + " elements for " +
                                             llvm::Twine(count) + " of a list");
  bool takesKeys = isList && value.hasKeys() &&
                   (list.hasKeys() || count == list.elements.size());
  list.keys.resize(list.elements.size());
  for (size_t i = 0; i < count; ++i) {
    list.elements[range->first + i] = isList ? value.elements[i] : value;
    if (takesKeys)
      list.keys[range->first + i] = value.keyOf(i);
  }
  std::string why = problemOfList(list);
  return why.empty() ? list : refusals.refuse(target.place, why);
}

DmlValue Parts::assigned(const Expr::Node &target, const DmlValue &base,
                         const DmlValue &value) {
  Place place = target.place;
  if (base.isUnknown() || value.isUnknown() ||
      refusals.isUnordered(place, base) || refusals.isUnordered(place, value))
    return {};
  if (base.type == DmlValue::List)
    return assignedList(target, base, value);
  if (!base.isMatrix() || (!value.isMatrix() && !value.isScalar()))
    return refusals.refuse(
        place, "an assignment to a part of something that is not a matrix");
  Assigned part;
  for (int axis : {0, 1}) {
    std::string why = addAxis(part, axis, target, base, value);
    if (!why.empty())
      return refusals.refuse(place, why);
    if (part.sizes[axis].isUnknown())
      return {};
  }
  if (value.isScalar() && part.isElement() &&
      !(part.isKnown(0) && part.isKnown(1))) {
    DmlValue row = operators.binary(place, "-", part.first[0], knownInt(1)),
             column = operators.binary(place, "-", part.first[1], knownInt(1));
    std::string at = emitter.list({row, column}), element = emitter.real(value);
    return DmlValue::matrix(graph.node("ScatterND", {base.name, at, element}),
                            base.rows, base.columns);
  }
  std::string made = value.name;
  if (!value.isMatrix())
    made =
        graph.node("Expand", {emitter.real(value), emitter.list(part.sizes)});
  if (!part.isWhole[0] || !part.isWhole[1]) {
    std::string scattered = scatter(place, base, part, made);
    made = scattered.empty() ? surround(place, base, part, made) : scattered;
  }
  return DmlValue::matrix(made, base.rows, base.columns);
}
