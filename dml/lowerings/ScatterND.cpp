//===- ScatterND.cpp - Lowering of onnx.ScatterND ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows of a matrix are replaced or changed, one after the other: of equal indices
// the last one wins. An index that is out of range is an error of the script.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Indexing.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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

namespace onnxfold::dml {
void registerScatterNDLowering(LoweringRegistry &registry) {
  registry.add("ScatterND", {11, 13, 16, 18}, lowerScatterND);
}
} // namespace onnxfold::dml
