//===- Movement.cpp - Tensors that are permuted and cut in DML ------------===//

#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/dml/support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::ArrayRef;

static Size product(Size a, Size b) {
  return {a.count * b.count, a.perBatch || b.perBatch};
}

/// (a, b, c) -> (a, c, b).
static View swapInner(LoweringContext &cx, const View &view, Size a, Size b,
                      Size c) {
  if (b == Size{} || c == Size{})
    return view;
  View result;
  if (a == Size{})
    result = {call("t", {cx.reshape(view, b, c).expr}), c, b};
  else
    result = {cx.helper("swap_inner",
                        {view.expr, cx.expr(a), cx.expr(b), cx.expr(c)}),
              a, product(c, b)};
  return cx.local("moved", result);
}

/// From left to right, each dimension is brought to its place past those before
/// it: (a, b, c, rest) -> (a, c, rest, b) -> (a, c, b, rest).
Moved dml::transposed(LoweringContext &cx, const View &view, const Shape &dims,
                      const Shape &perm) {
  Moved result{view, dims};
  Shape order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = 0; i < perm.size(); ++i) {
    size_t at = llvm::find(order, perm[i]) - order.begin();
    if (at == i)
      continue;
    // What follows in both orders is moved with it.
    size_t end = at + 1;
    while (end < order.size() && i + end - at < perm.size() &&
           order[end] == perm[i + end - at])
      ++end;
    ArrayRef<int64_t> now(result.dims);
    Size before = sizeOf(now.take_front(i)),
         passed = sizeOf(now.slice(i, at - i)),
         moved = sizeOf(now.slice(at, end - at)),
         after = sizeOf(now.drop_front(end));
    result.view =
        swapInner(cx, result.view, before, passed, product(moved, after));
    result.view =
        swapInner(cx, result.view, product(before, moved), after, passed);
    std::rotate(order.begin() + i, order.begin() + at, order.begin() + end);
    std::rotate(result.dims.begin() + i, result.dims.begin() + at,
                result.dims.begin() + end);
  }
  return result;
}

std::optional<Moved> dml::axesLast(LoweringContext &cx, const View &view,
                                   const Shape &dims, const Shape &axes) {
  Shape perm;
  for (int64_t i = 0; i < int64_t(dims.size()); ++i)
    if (!llvm::is_contained(axes, i))
      perm.push_back(i);
  perm.append(axes.begin(), axes.end());
  if (!dims.empty() && dims[0] == batchDim && perm[0] != 0)
    return std::nullopt;
  return transposed(cx, view, dims, perm);
}

static bool isRun(ArrayRef<int64_t> indices) {
  for (size_t i = 1; i < indices.size(); ++i)
    if (indices[i] != indices[0] + int64_t(i))
      return false;
  return true;
}

View dml::taken(LoweringContext &cx, const View &view, const Shape &dims,
                int64_t axis, ArrayRef<int64_t> indices) {
  ArrayRef<int64_t> all(dims);
  Size before = sizeOf(all.take_front(axis)),
       after = sizeOf(all.drop_front(axis + 1));
  int64_t size = dims[axis], count = indices.size();
  Size columns = product(Size{count}, after);
  View rows = cx.reshape(view, before, product(Size{size}, after));
  if (!isRun(indices)) {
    Expr index = rowText(indices);
    return cx.local("picked", View{cx.helper("take_inner",
                                             {rows.expr, index, cx.expr(before),
                                              size, cx.expr(after)}),
                                   before, columns});
  }
  if (count == size)
    return rows;
  // Only a variable can be indexed.
  Expr source = rows.expr.isName() ? rows.expr : cx.local("seen", rows.expr);
  Expr first = indices[0] * after.count + 1,
       last = (indices[0] + count) * after.count;
  if (count * after.count == 1)
    last = {};
  return {source.slice({}, {}, first, last), before, columns};
}
