//===- RotaryEmbedding.cpp - Lowering of onnx.RotaryEmbedding ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Heads are columns of rows for each batch and position, which have the cosines
// and sines of their position; helper rotary_embedding turns pairs of columns.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Rows of a cache for all batches and positions.
static Expr cacheRows(LoweringContext &cx, unsigned input, Size rows) {
  const Shape &dims = cx.input(input).dims;
  Size half{dims.back()};
  if (!cx.hasInput(3))
    return cx.reshape(cx.natural(input), rows, half).expr;
  Expr ids = cx.reshape(cx.natural(3), {}, rows).expr;
  View taken{
      cx.helper("take_inner", {cx.matrix(input), ids, 1, dims[0], dims[1]}),
      {},
      {rows.count * dims[1], rows.perBatch}};
  return cx.reshape(taken, rows, half).expr;
}

static Lowered lowerRotaryEmbedding(LoweringContext &cx) {
  Shape dims = cx.input(0).dims;
  View x = cx.natural(0);
  bool isSplit = dims.size() == 4;
  int64_t heads = isSplit ? dims[1] : cx.op().getInt("num_heads", 1);
  if (isSplit) {
    Moved moved = transposed(cx, x, dims, {0, 2, 1, 3});
    x = moved.view;
    dims = moved.dims;
  }
  if (dims[1] == batchDim || heads < 1)
    return Lowered::refusedBatch("the free batch size is not a batch");
  int64_t size = isSplit ? dims[3] : dims[2] / heads,
          turned = cx.op().getInt("rotary_embedding_dim", 0);
  Size rows = sizeOf({dims[0], dims[1]});
  x = cx.local("rows", cx.reshape(x, rows, {heads * size}));
  View y{cx.helper("rotary_embedding",
                   {x.expr, cacheRows(cx, 1, rows), cacheRows(cx, 2, rows),
                    heads, size, turned == 0 ? size : turned,
                    cx.op().getInt("interleaved", 0)}),
         x.rows, x.columns};
  if (isSplit)
    y = transposed(cx, cx.local("turned", y), dims, {0, 2, 1, 3}).view;
  cx.define(0, y);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerRotaryEmbeddingLowering(LoweringRegistry &registry) {
  registry.add("RotaryEmbedding", {23}, lowerRotaryEmbedding);
}
} // namespace onnxfold::dml
