//===- Reductions.cpp - Sums, maxima and others over axes -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Reductions.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

static Shape allAxes(int64_t rank) {
  Shape axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

static Lowered movesBatch() {
  return Lowered::refusedBatch("works along the free batch size");
}

Lowered dml::lowerReduction(LoweringContext &cx, const UnaryFunction &f) {
  bool isKnown = true;
  std::optional<Shape> given = cx.ints(1, "axes", isKnown);
  if (!isKnown)
    return Lowered::refused("the axes are not constant",
                            "fix them with " + setting("bind"));
  const Tensor &x = cx.input(0);
  bool isNoop = cx.op().getInt("noop_with_empty_axes", 0) != 0;
  Shape axes;
  if (given && !given->empty())
    axes = *normalizeAxes(*given, x.rank());
  else if (!isNoop)
    axes = allAxes(x.rank());
  else if (x.rank() != 0)
    return Lowered::refused("no axes are reduced");
  llvm::sort(axes);
  std::optional<Moved> moved = axesLast(cx, cx.natural(0), x.dims, axes);
  if (!moved || (!x.isStatic() && !axes.empty() && axes[0] == 0))
    return movesBatch();
  View rows =
      cx.splitAt(moved->view, moved->dims, x.rank() - int64_t(axes.size()));
  cx.define(0, View{f(cx.local("rows", rows.expr)), rows.rows, {}});
  return Lowered::done();
}

Lowered dml::lowerAlongAxis(LoweringContext &cx, int64_t given,
                            const UnaryFunction &f) {
  const Tensor &x = cx.input(0);
  if (x.rank() == 0) {
    cx.define(0, f(cx.local("rows", cx.matrix(0))));
    return Lowered::done();
  }
  int64_t axis = *normalizeAxis(given, x.rank());
  if (axis == 0 && !x.isStatic())
    return movesBatch();
  std::optional<Moved> moved = axesLast(cx, cx.natural(0), x.dims, {axis});
  View rows = cx.splitAt(moved->view, moved->dims, x.rank() - 1);
  View result{f(cx.local("rows", rows.expr)), rows.rows, rows.columns};
  cx.define(0, axisBack(cx, result, moved->dims, axis).view);
  return Lowered::done();
}

/// The columns from the last to the first.
static Expr mirrored(const Expr &rows) {
  return call("t", {call("rev", {call("t", {rows})})});
}

Lowered dml::lowerCumulative(LoweringContext &cx) {
  Elements given = cx.constant(1);
  if (!given)
    return Lowered::refused("the axis is not a constant",
                            "fix it with " + setting("bind"));
  const Tensor &x = cx.input(0);
  int64_t axis = *normalizeAxis(given.ints()[0], x.rank()),
          count = x.dims[axis];
  bool reverses = cx.op().getInt("reverse", 0) != 0,
       isExclusive = cx.op().getInt("exclusive", 0) != 0;
  bool isSum = cx.op().is("CumSum");
  return lowerAlongAxis(cx, axis, [&](Expr rows) {
    if (reverses)
      rows = cx.local("mirrored", mirrored(rows));
    if (isExclusive) {
      Expr first = matrix(isSum ? 0 : 1, call("nrow", {rows}), 1);
      rows = count == 1
                 ? first
                 : call("cbind", {first, rows.slice({}, {}, 1, count - 1)});
    }
    Expr y =
        call("t", {call(isSum ? "cumsum" : "cumprod", {call("t", {rows})})});
    // SystemDS would make a difference of sums of rev(cumsum(rev(x))).
    if (reverses)
      y = cx.helper("take_inner",
                    {y, call("t", {call("seq", {count - 1, 0, -1})}),
                     call("nrow", {rows}), count, 1});
    return wrapped(cx, y, cx.result().type);
  });
}

Lowered dml::lowerAlongAxes(LoweringContext &cx, Shape axes,
                            const UnaryFunction &f) {
  const Tensor &x = cx.input(0);
  int64_t rank = x.rank();
  axes = *normalizeAxes(axes, rank);
  llvm::sort(axes);
  std::optional<Moved> moved = axesLast(cx, cx.natural(0), x.dims, axes);
  if (!moved || (!x.isStatic() && llvm::is_contained(axes, 0)))
    return movesBatch();
  View rows = cx.splitAt(moved->view, moved->dims, rank - int64_t(axes.size()));
  View result{f(cx.local("rows", rows.expr)), rows.rows, rows.columns};
  Shape order; // of the dimensions of x in moved
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(axes, i))
      order.push_back(i);
  llvm::append_range(order, axes);
  Shape back(rank);
  for (auto [place, axis] : llvm::enumerate(order))
    back[axis] = place;
  if (!llvm::is_sorted(order))
    result = transposed(cx, cx.local("along", result), moved->dims, back).view;
  cx.define(0, result);
  return Lowered::done();
}

/// The builtins count from 1 and take the last of equal values.
Lowered dml::lowerArgReduction(LoweringContext &cx) {
  llvm::StringRef builtin =
      cx.op().is("ArgMax") ? "rowIndexMax" : "rowIndexMin";
  const Tensor &x = cx.input(0);
  if (x.rank() == 0)
    return Lowered::refused("the input is a scalar");
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", 0), x.rank());
  std::optional<Moved> moved = axesLast(cx, cx.natural(0), x.dims, {axis});
  if (!moved || (axis == 0 && !x.isStatic()))
    return movesBatch();
  View view = cx.splitAt(moved->view, moved->dims, x.rank() - 1);
  Expr rows = cx.local("rows", view.expr);
  Expr index;
  if (cx.op().getInt("select_last_index", 0) != 0) {
    index = call(builtin, {rows}) - 1;
  } else {
    Expr turned = cx.local("mirrored", mirrored(rows));
    index = Expr(view.columns.count) - call(builtin, {turned});
  }
  cx.define(0, View{index, view.rows, {}});
  return Lowered::done();
}

Lowered dml::lowerAlongRows(LoweringContext &cx, const UnaryFunction &f) {
  if (cx.op().since() >= 13)
    return lowerAlongAxis(cx, cx.op().getInt("axis", -1), f);
  const Tensor &x = cx.input(0);
  int64_t given = cx.op().getInt("axis", 1),
          axis = given < 0 ? given + x.rank() : given;
  if (axis == 0 && !x.isStatic())
    return movesBatch();
  View rows = cx.view(0, axis);
  cx.define(0, View{f(cx.local("rows", rows.expr)), rows.rows, rows.columns});
  return Lowered::done();
}
