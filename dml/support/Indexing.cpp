//===- Indexing.cpp - Elements at indices that a run computes -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Indexing.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::ArrayRef;

Expr dml::rowNumbers(LoweringContext &cx, Size count) {
  return call("seq", {0, cx.expr(count) - 1, 1});
}

/// The numbers of the rows of a tensor `dims` at all places of the smaller one.
static Shape rowsWithin(ArrayRef<int64_t> dims, ArrayRef<int64_t> smaller) {
  Shape rows = {0};
  for (auto [size, part] : llvm::zip_equal(dims, smaller)) {
    Shape next;
    for (int64_t row : rows)
      for (int64_t i = 0; i < part; ++i)
        next.push_back(row * size + i);
    rows = next;
  }
  return rows;
}

std::optional<ElementRows> dml::elementRows(LoweringContext &cx, unsigned data,
                                            unsigned index, int64_t axis) {
  const Tensor &x = cx.input(data), &i = cx.input(index);
  std::optional<Moved> from = axesLast(cx, cx.natural(data), x.dims, {axis}),
                       at = axesLast(cx, cx.natural(index), i.dims, {axis});
  if (!from || !at || x.dims[axis] == batchDim || i.dims[axis] == batchDim)
    return std::nullopt;
  ElementRows result;
  result.data = cx.splitAt(from->view, from->dims, x.rank() - 1);
  result.index =
      cx.local("index", cx.splitAt(at->view, at->dims, x.rank() - 1));
  result.indexDims = at->dims;
  ArrayRef<int64_t> all = ArrayRef<int64_t>(from->dims).drop_back(),
                    part = ArrayRef<int64_t>(at->dims).drop_back();
  if (all == part)
    result.numbers = rowNumbers(cx, result.index.rows);
  else if (x.isStatic() && i.isStatic())
    result.numbers = columnOf(cx, "row_numbers", rowsWithin(all, part));
  else
    return std::nullopt;
  return result;
}

std::optional<BlockRows> dml::blockRows(LoweringContext &cx, unsigned data,
                                        unsigned index, int64_t batch) {
  const Tensor &x = cx.input(data), &i = cx.input(index);
  int64_t depth = i.dims.back();
  ArrayRef<int64_t> all(x.dims), sizes = all.slice(batch, depth);
  if (llvm::is_contained(sizes, batchDim) || depth == batchDim)
    return std::nullopt;
  View at = cx.view(index, i.rank() - 1);
  Shape strides(depth, 1);
  for (int64_t k = depth - 1; k > 0; --k)
    strides[k - 1] = strides[k] * sizes[k];
  Expr places = cx.helper("block_places", {at.expr, rowText(sizes),
                                           columnOf(cx, "strides", strides)});
  if (batch > 0) {
    int64_t inner =
        sizeOf(ArrayRef<int64_t>(i.dims).slice(batch).drop_back()).count;
    Expr item = call("floor", {rowNumbers(cx, at.rows) / inner});
    places = cx.local("places", places) + item * sizeOf(sizes).count;
  }
  return BlockRows{cx.view(data, batch + depth), cx.local("places", places),
                   at.rows};
}

int dml::scatterReduction(LoweringContext &cx) {
  return llvm::StringSwitch<int>(cx.op().getString("reduction", "none"))
      .Case("add", 1)
      .Case("mul", 2)
      .Case("max", 3)
      .Case("min", 4)
      .Default(0);
}

Lowered dml::lowerElementScatter(LoweringContext &cx) {
  const Tensor &x = cx.input(0), &update = cx.input(2);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", 0), x.rank());
  std::optional<ElementRows> rows = elementRows(cx, 0, 1, axis);
  std::optional<Moved> from = axesLast(cx, cx.natural(2), update.dims, {axis});
  if (!rows || !from)
    return Lowered::refusedBatch("scatters along the free batch size");
  int64_t n = x.dims[axis];
  Expr places =
      cx.local("places", cx.helper("element_places",
                                   {rows->numbers, rows->index.expr, n}));
  View data = cx.reshape(rows->data, sizeOf(x.dims), {}),
       updates = cx.reshape(from->view, sizeOf(update.dims), {});
  Expr y = cx.helper("scatter_rows",
                     {data.expr, places, updates.expr, scatterReduction(cx)});
  View result{wrapped(cx, y, cx.result().type), data.rows, {}};
  // The data has the axis last, as its matrix.
  Shape dims = x.dims;
  dims.erase(dims.begin() + axis);
  dims.push_back(n);
  cx.define(0, axisBack(cx, result, dims, axis).view);
  return Lowered::done();
}
