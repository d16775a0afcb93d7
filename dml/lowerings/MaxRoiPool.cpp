//===- MaxRoiPool.cpp - Lowering of onnx.MaxRoiPool ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest pixel of each bin of each region, in a loop; 0 of a bin without
// pixels.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMaxRoiPool(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims, &rois = cx.input(1).dims;
  if (!cx.input(0).isStatic())
    return Lowered::refusedBatch("regions count along the free batch size");
  auto shape = cx.op().getInts("pooled_shape");
  Size regions = sizeOf(llvm::ArrayRef<int64_t>(rois).take_front());
  int64_t bins = (*shape)[0] * (*shape)[1];
  View y{cx.helper("max_roi_pool",
                   {cx.matrix(0), cx.matrix(1), x[1], x[2], x[3], (*shape)[0],
                    (*shape)[1], double(cx.op().getFloat("spatial_scale", 1))}),
         regions,
         {x[1] * bins}};
  cx.define(0, y);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerMaxRoiPoolLowering(LoweringRegistry &registry) {
  registry.add("MaxRoiPool", {1, 22}, lowerMaxRoiPool);
}
} // namespace onnxfold::dml
