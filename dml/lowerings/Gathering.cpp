//===- Gathering.cpp - Lowerings of elements by index ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An index that is out of range is an error of the script.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Indexing.h"
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

/// Row by row, with the axis as columns. An index that is out of range is an
/// error of the script.
static Lowered lowerGatherElements(LoweringContext &cx) {
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", 0), cx.input(0).rank());
  std::optional<ElementRows> rows = elementRows(cx, 0, 1, axis);
  if (!rows)
    return Lowered::refusedBatch("gathers along the free batch size");
  Expr y = cx.helper("take_in_rows",
                     {rows->data.expr, rows->numbers, rows->index.expr});
  View view{y, rows->index.rows, rows->index.columns};
  cx.define(0, axisBack(cx, view, rows->indexDims, axis).view);
  return Lowered::done();
}

/// Rows of a matrix, with the dimensions that are indexed as rows. An index
/// that is out of range is an error of the script.
static Lowered lowerGatherND(LoweringContext &cx) {
  int64_t batch = cx.op().getInt("batch_dims", 0);
  std::optional<BlockRows> rows = blockRows(cx, 0, 1, batch);
  if (!rows)
    return Lowered::refusedBatch("gathers along the free batch size");
  Expr y = cx.helper("take_rows", {rows->data.expr, rows->places});
  cx.define(0, View{y, rows->count, rows->data.columns});
  return Lowered::done();
}

/// Rows of a matrix are replaced or changed, one after the other: of equal
/// indices the last one wins. An index that is out of range is an error of the
/// script.
static Lowered lowerScatterND(LoweringContext &cx) {
  std::optional<BlockRows> rows = blockRows(cx, 0, 1, 0);
  if (!rows)
    return Lowered::refusedBatch("scatters along the free batch size");
  View updates = cx.reshape(cx.natural(2), rows->count, rows->data.columns);
  Expr y = cx.helper("scatter_rows", {rows->data.expr, rows->places,
                                      updates.expr, scatterReduction(cx)});
  cx.define(0, View{wrapped(cx, y, cx.result().type), rows->data.rows,
                    rows->data.columns});
  return Lowered::done();
}

/// Updates of each cache from its write index on; in mode circular they
/// continue at the beginning. An index that is out of range is an error of the
/// script.
static Lowered lowerTensorScatter(LoweringContext &cx) {
  const Tensor &cache = cx.input(0), &update = cx.input(1);
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", -2), cache.rank());
  if (axis == 0 || !cache.isStatic())
    return Lowered::refusedBatch("writes along the free batch size");
  // (batch, axis, others) as rows.
  Shape perm = {0, axis}, back;
  for (int64_t i = 1; i < cache.rank(); ++i)
    if (i != axis)
      perm.push_back(i);
  for (int64_t i = 0; i < cache.rank(); ++i)
    back.push_back(llvm::find(perm, i) - perm.begin());
  Moved to = transposed(cx, cx.natural(0), cache.dims, perm),
        from = transposed(cx, cx.natural(1), update.dims, perm);
  int64_t batch = to.dims[0], length = to.dims[1], count = from.dims[1];
  View data = cx.splitAt(to.view, to.dims, 2),
       values = cx.splitAt(from.view, from.dims, 2);
  Expr starts = cx.hasInput(2) ? cx.reshape(cx.natural(2), {batch}, {}).expr
                               : cx.filled(0, {batch}, {});
  bool circular = cx.op().getString("mode", "linear") == "circular";
  Expr places =
      cx.helper("write_places", {starts, count, length, circular ? 1 : 0});
  View y{cx.helper("scatter_rows", {data.expr, places, values.expr, 0}),
         data.rows, data.columns};
  cx.define(0, transposed(cx, cx.local("written", y), to.dims, back).view);
  return Lowered::done();
}

/// Indices of a condition that is constant: else the size would depend on
/// values.
static Lowered lowerCompress(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  Elements condition = cx.constant(1);
  if (!condition)
    return Lowered::refused("the condition is not a constant",
                            "fix it with " + setting("bind"));
  std::optional<int64_t> axis = cx.op().getInt("axis");
  Shape indices;
  for (auto [i, isKept] : llvm::enumerate(condition.values<bool>()))
    if (isKept)
      indices.push_back(i);
  if (!x.isStatic() && (!axis || *normalizeAxis(*axis, x.rank()) == 0))
    return Lowered::refusedBatch("compresses the free batch size");
  Shape flat = {sizeOf(x.dims).count};
  cx.define(0, axis ? taken(cx, cx.natural(0), x.dims,
                            *normalizeAxis(*axis, x.rank()), indices)
                    : taken(cx, cx.natural(0), flat, 0, indices));
  return Lowered::done();
}

/// Rows that are taken from the end of each sequence.
static Lowered lowerReverseSequence(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims;
  bool timeFirst = cx.op().getInt("time_axis", 0) == 0;
  if (timeFirst && !cx.input(0).isStatic())
    return Lowered::refusedBatch("reverses along the free batch size");
  Shape perm(x.size());
  std::iota(perm.begin(), perm.end(), 0);
  if (timeFirst)
    std::swap(perm[0], perm[1]);
  Moved moved = transposed(cx, cx.natural(0), x, perm);
  llvm::ArrayRef<int64_t> dims(moved.dims);
  Size batch = sizeOf(dims.take_front()), inner = sizeOf(dims.drop_front(2));
  Expr lengths = cx.reshape(cx.natural(1), batch, {}).expr;
  Expr y = cx.helper("reverse_rows", {moved.view.expr, lengths, cx.expr(batch),
                                      dims[1], cx.expr(inner)});
  View view{y, {batch.count * dims[1], batch.perBatch}, inner};
  cx.define(0, transposed(cx, cx.local("turned", view), moved.dims, perm).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGatheringLowering(LoweringRegistry &registry) {
  // Negative indices count from the end. One that is out of range stops the
  // script.
  registry.add("Gather", {1, 11, 13}, [](LoweringContext &cx) {
    return gatherAlong(
        cx, *normalizeAxis(cx.op().getInt("axis", 0), cx.input(0).rank()));
  });
  registry.add("GatherElements", {11, 13}, lowerGatherElements);
  registry.add("GatherND", {11, 12, 13}, lowerGatherND);
  // ScatterElements by its old name.
  registry.add("Scatter", {9, 11}, lowerElementScatter);
  // Elements that are replaced or changed, one after the other: of equal
  // indices the last one wins.
  registry.add("ScatterElements", {11, 13, 16, 18}, lowerElementScatter);
  registry.add("ScatterND", {11, 13, 16, 18}, lowerScatterND);
  registry.add("TensorScatter", {24}, lowerTensorScatter);
  registry.add("Compress", {9, 11}, lowerCompress);
  registry.add("ReverseSequence", {10}, lowerReverseSequence);
}
} // namespace onnxfold::dml
