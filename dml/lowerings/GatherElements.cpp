//===- GatherElements.cpp - Lowering of onnx.GatherElements --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Row by row, with the axis as columns. An index that is out of range is an error
// of the script.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Indexing.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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

namespace onnxfold::dml {
void registerGatherElementsLowering(LoweringRegistry &registry) {
  registry.add("GatherElements", {11, 13}, lowerGatherElements);
}
} // namespace onnxfold::dml
