//===- GatherND.cpp - Lowering of onnx.GatherND --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows of a matrix, with the dimensions that are indexed as rows. An index that is
// out of range is an error of the script.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Indexing.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGatherND(LoweringContext &cx) {
  int64_t batch = cx.op().getInt("batch_dims", 0);
  std::optional<BlockRows> rows = blockRows(cx, 0, 1, batch);
  if (!rows)
    return Lowered::refusedBatch("gathers along the free batch size");
  Expr y = cx.helper("take_rows", {rows->data.expr, rows->places});
  cx.define(0, View{y, rows->count, rows->data.columns});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGatherNDLowering(LoweringRegistry &registry) {
  registry.add("GatherND", {11, 12, 13}, lowerGatherND);
}
} // namespace onnxfold::dml
