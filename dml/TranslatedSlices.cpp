//===- TranslatedSlices.cpp - Parts of matrices as ONNX nodes -------------===//

#include "onnxfold/dml/internal/Translation.h"
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
      return "an index that is no scalar";
    if (one->number && (*one->number < 1 || (size >= 0 && *one->number > size)))
      return "index " + numberText(*one->number) + " of " +
             std::to_string(size);
  }
  return bounds.count == 0 || bounds.count < -1 ? "an empty range" : "";
}

DmlValue Translation::slice(const Expr::Node &node, Variables &variables) {
  DmlValue base = evaluate(node.operands[0], variables);
  if (base.isUnknown())
    return base;
  if (!base.isMatrix() || node.operands.size() != 5)
    return refuse(node.place, "a part of what is no matrix");
  std::vector<DmlValue> starts, ends;
  llvm::SmallVector<int64_t> axes;
  for (int axis : {0, 1}) {
    int64_t &size = axis == 0 ? base.rows : base.columns;
    Bounds bounds =
        boundsOf(node.operands[1 + 2 * axis], node.operands[2 + 2 * axis], size,
                 [&](const Expr &one) { return evaluate(one, variables); });
    if (std::string why = problemOf(bounds, size); !why.empty())
      return refuse(node.place, why);
    size = bounds.count;
    if (!bounds.first)
      continue;
    if (bounds.first->isUnknown() || bounds.last->isUnknown())
      return {};
    starts.push_back(
        binary(node.place, "-", *bounds.first, known(1, DmlValue::Int)));
    ends.push_back(*bounds.last);
    axes.push_back(axis);
  }
  if (!axes.empty())
    base.name = graph.node(
        "Slice", {base.name, list(starts), list(ends), graph.integers(axes)});
  return base;
}

/// Of X[a:b, c:d] = value: what is above, left, right and below, and the value.
void Translation::assignPart(const Expr::Node &target, const DmlValue &value,
                             Variables &variables) {
  StringRef name = (*target.operands[0]).text;
  DmlValue base = evaluate(target.operands[0], variables);
  DmlValue &variable = variables[name];
  variable = {};
  if (base.isUnknown() || value.isUnknown())
    return;
  if (!base.isMatrix() || target.operands.size() != 5 ||
      (!value.isMatrix() && !value.isScalar())) {
    refuse(target.place, "an assignment to a part of what is no matrix");
    return;
  }
  std::vector<DmlValue> first, last, sizes;
  for (int axis : {0, 1}) {
    int64_t size = axis == 0 ? base.rows : base.columns;
    Bounds bounds = boundsOf(
        target.operands[1 + 2 * axis], target.operands[2 + 2 * axis], size,
        [&](const Expr &one) { return evaluate(one, variables); });
    std::string why = problemOf(bounds, size);
    int64_t given = axis == 0 ? value.rows : value.columns;
    if (why.empty() && value.isMatrix() && bounds.count >= 0 && given >= 0 &&
        given != bounds.count)
      why = "a matrix of " + sizeText(value) + " for " +
            std::to_string(bounds.count) + (axis == 0 ? " rows" : " columns");
    if (!why.empty()) {
      refuse(target.place, why);
      return;
    }
    if (bounds.first && (bounds.first->isUnknown() || bounds.last->isUnknown()))
      return;
    first.push_back(bounds.first ? *bounds.first : known(1, DmlValue::Int));
    last.push_back(bounds.first ? *bounds.last : this->size(base, axis));
    sizes.push_back(bounds.count >= 0 ? known(bounds.count, DmlValue::Int)
                                      : binary(target.place, "+",
                                               binary(target.place, "-",
                                                      last[axis], first[axis]),
                                               known(1, DmlValue::Int)));
  }
  std::string part = value.isMatrix()
                         ? value.name
                         : graph.node("Expand", {real(value), list(sizes)});
  auto cut = [&](const std::string &of, int axis, const DmlValue &from,
                 const std::optional<DmlValue> &to) {
    std::string end = to ? list(*to) : graph.integers({INT64_MAX});
    return graph.node("Slice", {of, list(from), end, graph.integers({axis})});
  };
  auto joined = [&](const std::string &whole, int axis) {
    std::vector<std::string> pieces;
    int64_t size = axis == 0 ? base.rows : base.columns;
    DmlValue before =
        binary(target.place, "-", first[axis], known(1, DmlValue::Int));
    if (!before.number || *before.number > 0)
      pieces.push_back(cut(whole, axis, known(0, DmlValue::Int), before));
    pieces.push_back(part);
    if (!last[axis].number || *last[axis].number != size)
      pieces.push_back(cut(whole, axis, last[axis], std::nullopt));
    if (pieces.size() > 1)
      part = graph.node("Concat", pieces, {{"axis", {axis}}});
  };
  DmlValue rowsBefore =
      binary(target.place, "-", first[0], known(1, DmlValue::Int));
  joined(cut(base.name, 0, rowsBefore, last[0]), 1);
  joined(base.name, 0);
  base.name = part;
  variable = base;
}
