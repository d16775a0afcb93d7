//===- Det.cpp - Lowering of onnx.Det ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each matrix by elimination, in a helper.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerDet(LoweringContext &cx) {
  int64_t rank = cx.input(0).rank(), size = cx.input(0).dims[rank - 1];
  if (size == batchDim || cx.input(0).dims[rank - 2] != size)
    return Lowered::refusedBatch("the matrices have the free batch size");
  View rows = cx.view(0, rank - 2);
  cx.define(
      0, View{cx.helper("determinants", {rows.expr, cx.expr(rows.rows), size}),
              rows.rows,
              {}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerDetLowering(LoweringRegistry &registry) {
  registry.add("Det", {11, 22}, lowerDet);
}
} // namespace onnxfold::dml
