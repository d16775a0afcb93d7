//===- Reductions.cpp - Sums, maxima and the like over axes ---------------===//

#include "onnxfold/dml/support/Reductions.h"
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
  return Lowered::refused("works along the free batch size",
                          "fix it with --dim");
}

Lowered dml::lowerReduction(LoweringContext &cx, const UnaryFunction &f) {
  bool isKnown = true;
  std::optional<Shape> given = cx.ints(1, "axes", isKnown);
  if (!isKnown)
    return Lowered::refused("the axes are no constant", "fix them with --bind");
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

/// The permutation that takes back the one that puts `axis` last.
static Shape backFrom(int64_t axis, int64_t rank) {
  Shape perm = allAxes(axis);
  perm.push_back(rank - 1);
  for (int64_t i = axis; i + 1 < rank; ++i)
    perm.push_back(i);
  return perm;
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
  if (axis + 1 != x.rank())
    result = transposed(cx, cx.local("along", result), moved->dims,
                        backFrom(axis, x.rank()))
                 .view;
  cx.define(0, result);
  return Lowered::done();
}

/// The builtins count from 1 and take the last of equal values.
Lowered dml::lowerArgReduction(LoweringContext &cx, llvm::StringRef builtin) {
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
    Expr mirrored =
        cx.local("mirrored", call("t", {call("rev", {call("t", {rows})})}));
    index = Expr(view.columns.count) - call(builtin, {mirrored});
  }
  cx.define(0, View{index, view.rows, {}});
  return Lowered::done();
}

Lowered dml::lowerAlongRows(LoweringContext &cx, const UnaryFunction &f) {
  if (cx.op().since() >= 13)
    return lowerAlongAxis(cx, cx.op().getInt("axis", -1), f);
  const Tensor &x = cx.input(0);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", 1), x.rank() + 1);
  if (axis == 0 && !x.isStatic())
    return movesBatch();
  View rows = cx.view(0, axis);
  cx.define(0, View{f(cx.local("rows", rows.expr)), rows.rows, rows.columns});
  return Lowered::done();
}
