//===- Movement.cpp - Tensors that are permuted and cut in DML ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/dml/support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
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

/// The permutation that takes back the one that puts `axis` last.
static Shape backFrom(int64_t axis, int64_t rank) {
  Shape perm(axis);
  std::iota(perm.begin(), perm.end(), 0);
  perm.push_back(rank - 1);
  for (int64_t i = axis; i + 1 < rank; ++i)
    perm.push_back(i);
  return perm;
}

Moved dml::axisBack(LoweringContext &cx, const View &view, const Shape &dims,
                    int64_t axis) {
  if (axis + 1 == int64_t(dims.size()))
    return {view, dims};
  return transposed(cx, cx.local("along", view), dims,
                    backFrom(axis, dims.size()));
}

Lowered dml::lowerReinterpretation(LoweringContext &cx) {
  cx.define(0, cx.natural(0));
  return Lowered::done();
}

//===----------------------------------------------------------------------===//
// Indices of an axis
//===----------------------------------------------------------------------===//

static Expr integers(LoweringContext &cx, llvm::StringRef hint,
                     ArrayRef<int64_t> values, int64_t rows, int64_t columns) {
  std::vector<double> doubles(values.begin(), values.end());
  return cx.constantMatrix(
      hint, Elements::fromValues<double>({int64_t(doubles.size())}, doubles),
      rows, columns);
}

/// Short ones stand where they are used.
Expr dml::rowOf(LoweringContext &cx, llvm::StringRef hint,
                ArrayRef<int64_t> values) {
  return values.size() <= 16 ? rowText(values)
                             : integers(cx, hint, values, 1, values.size());
}

Expr dml::columnOf(LoweringContext &cx, llvm::StringRef hint,
                   ArrayRef<int64_t> values) {
  return integers(cx, hint, values, values.size(), 1);
}

namespace {
struct IndexRun {
  int64_t first, count;
};
} // namespace

static llvm::SmallVector<IndexRun> runsOf(ArrayRef<int64_t> indices) {
  llvm::SmallVector<IndexRun> runs;
  for (int64_t i : indices) {
    if (!runs.empty() && runs.back().first + runs.back().count == i)
      ++runs.back().count;
    else
      runs.push_back({i, 1});
  }
  return runs;
}

/// At most so many slices are put side by side.
constexpr size_t mostRuns = 8;

View dml::taken(LoweringContext &cx, const View &view, const Shape &dims,
                int64_t axis, ArrayRef<int64_t> indices) {
  ArrayRef<int64_t> all(dims);
  Size before = sizeOf(all.take_front(axis)),
       after = sizeOf(all.drop_front(axis + 1));
  int64_t size = dims[axis], count = indices.size();
  Size columns = product(Size{count}, after);
  View rows = cx.reshape(view, before, product(Size{size}, after));
  llvm::SmallVector<IndexRun> runs = runsOf(indices);
  if (runs.size() > mostRuns) {
    Expr taken =
        cx.helper("take_inner", {rows.expr, rowOf(cx, "indices", indices),
                                 cx.expr(before), size, cx.expr(after)});
    return cx.local("picked", View{taken, before, columns});
  }
  if (runs.size() == 1 && count == size)
    return rows;
  // Only a variable can be indexed.
  Expr source = cx.local("seen", rows.expr);
  std::vector<Argument> slices;
  for (IndexRun run : runs) {
    Expr first = run.first * after.count + 1,
         last = (run.first + run.count) * after.count;
    slices.push_back(source.slice(
        {}, {}, first, run.count * after.count == 1 ? Expr() : last));
  }
  if (slices.size() == 1)
    return {slices[0].value, before, columns};
  return cx.local("picked", View{call("cbind", slices), before, columns});
}

View dml::paddedAlong(LoweringContext &cx, const View &view, const Shape &dims,
                      int64_t axis, int64_t before, int64_t after,
                      const Expr &value) {
  if (before == 0 && after == 0)
    return view;
  ArrayRef<int64_t> all(dims);
  Size rows = sizeOf(all.take_front(axis)),
       inner = sizeOf(all.drop_front(axis + 1));
  // What is one row is padded above and below.
  bool isRow = rows == Size{};
  auto part = [&](int64_t count) {
    Size length = product({count}, inner);
    return isRow ? matrix(value, cx.expr({count}), cx.expr(inner))
                 : matrix(value, cx.expr(rows), cx.expr(length));
  };
  std::vector<Argument> parts;
  if (before != 0)
    parts.push_back(part(before));
  parts.push_back(cx.splitAt(view, dims, isRow ? axis + 1 : axis).expr);
  if (after != 0)
    parts.push_back(part(after));
  Size length{before + dims[axis] + after};
  View result = isRow
                    ? View{call("rbind", parts), length, inner}
                    : View{call("cbind", parts), rows, product(length, inner)};
  return cx.local("padded", result);
}

/// Each element is the number of its place, as in a list of classes.
static bool isListOfPlaces(const Elements &list) {
  for (int64_t i = 0; i < list.size(); ++i)
    if (list.value<int64_t>(i) != i)
      return false;
  return list.shape().size() == 1;
}

/// A constant without NaN and infinities, so that a product with it needs no
/// look at its result. Larger ones are not read for that.
static bool isFiniteTable(const Tensor &x) {
  constexpr int64_t most = 1 << 22;
  return x.constant && x.constant.size() <= most &&
         llvm::all_of(asDoubles(x.constant).values<double>(),
                      [](double value) { return std::isfinite(value); });
}

/// Places stay positive in the type: not in int8, where 200 is negative.
static bool holdsPlaces(DataType type) {
  return type == DataType::Int32 || type == DataType::Int64 ||
         type == DataType::Float32 || type == DataType::Float64;
}

/// The indices are places that a node counted from 0.
static bool areFromStart(mlir::Value index) {
  while (mlir::Operation *maker = index.getDefiningOp()) {
    Operator op = Operator::from(maker);
    if (!op || !op.domain().empty() || op.numInputs() == 0)
      return false;
    if (op.isAny({"ArgMax", "ArgMin"}))
      return true;
    if (op.is("TopK"))
      return llvm::cast<mlir::OpResult>(index).getResultNumber() == 1;
    if (!op.isAny({"Flatten", "Identity", "Reshape", "Squeeze", "Transpose",
                   "Unsqueeze"}) &&
        !(op.is("Cast") && holdsPlaces(DataType(op.getInt("to", 0)))))
      return false;
    index = op.input(0);
  }
  return false;
}

/// Those of input 1 that are negative count from the end.
static Expr placesOf(LoweringContext &cx, const View &index, int64_t length) {
  if (areFromStart(cx.op().input(1)))
    return index.expr;
  Expr at = cx.local("index", index.expr);
  return at + Expr::binary("<", at, 0) * length;
}

Lowered dml::gatherAlong(LoweringContext &cx, int64_t axis) {
  const Tensor &x = cx.input(0), &index = cx.input(1);
  llvm::ArrayRef<int64_t> all(x.dims);
  Size before = sizeOf(all.take_front(axis)),
       after = sizeOf(all.drop_front(axis + 1)), count = sizeOf(index.dims);
  if (x.dims[axis] == batchDim || (!index.isStatic() && before != Size{}))
    return Lowered::refusedBatch("gathers along the free batch size");
  View result;
  if (x.type == DataType::String && x.constant && isListOfPlaces(x.constant)) {
    View at = cx.natural(1);
    at.expr = placesOf(cx, at, x.constant.size());
    cx.define(0, at);
    return Lowered::done();
  }
  if (index.constant) {
    Shape indices(index.constant.type() == DataType::Int64 ||
                          index.constant.type() == DataType::Int32
                      ? Shape(index.constant.ints())
                      : Shape());
    for (int64_t &i : indices) {
      i += i < 0 ? x.dims[axis] : 0;
      if (i < 0 || i >= x.dims[axis])
        return Lowered::refused("an index is out of range");
    }
    result = taken(cx, cx.natural(0), x.dims, axis, indices);
  } else if (!index.isStatic()) {
    // Of a table, a row for each index.
    Expr places =
        placesOf(cx, cx.reshape(cx.natural(1), count, {}), x.dims[axis]);
    View table = cx.reshape(cx.natural(0), {x.dims[axis]}, after);
    result = {cx.helper(isFiniteTable(x) ? "table_rows" : "take_rows",
                        {table.expr, places}),
              count, after};
  } else {
    Expr row = cx.reshape(cx.natural(1), {}, count).expr;
    result = {cx.helper("take_inner", {cx.matrix(0), row, cx.expr(before),
                                       x.dims[axis], cx.expr(after)}),
              before, product(count, after)};
  }
  cx.define(0, result);
  return Lowered::done();
}
