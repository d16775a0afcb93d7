//===- ChannelPools.cpp - Lowerings of pooling by channel or region -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each value is one of a channel, a window or a region.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/dml/support/PoolingLowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Rows are channels of one image.
static Lowered lowerGlobalAveragePool(LoweringContext &cx) {
  View rows = cx.view(0, 2);
  cx.define(0, View{call("rowMeans", {rows.expr}), rows.rows, {}});
  return Lowered::done();
}

/// (sum |x|^p)^(1/p) of channels.
static Lowered lowerGlobalLpPool(LoweringContext &cx) {
  View rows = cx.view(0, 2);
  Expr sums = call("rowSums", {powerOfNorm(cx, rows.expr)});
  cx.define(0, View{rootOfNorm(cx, sums), rows.rows, {}});
  return Lowered::done();
}

/// Rows are channels of one image.
static Lowered lowerGlobalMaxPool(LoweringContext &cx) {
  View rows = cx.view(0, 2);
  cx.define(0, View{call("rowMaxs", {rows.expr}), rows.rows, {}});
  return Lowered::done();
}

/// (sum |x|^p)^(1/p) of windows.
static Lowered lowerLpPool(LoweringContext &cx) {
  Windows windows;
  if (Lowered checked = poolingOf(cx, windows); !checked.isDone())
    return checked;
  Moved images = imagesOf(cx, 0);
  images.view.expr = cx.local("powers", powerOfNorm(cx, images.view.expr));
  View sums = reducedByAxis(cx, "sum_windows", images, windows, 0);
  sums.expr = rootOfNorm(cx, sums.expr);
  cx.define(0, sums);
  return Lowered::done();
}

/// The largest pixel of each bin of each region, in a loop; 0 of a bin without
/// pixels.
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
void registerChannelPoolsLowering(LoweringRegistry &registry) {
  registry.add("GlobalAveragePool", {1, 22}, lowerGlobalAveragePool);
  registry.add("GlobalLpPool", {1, 2, 22}, lowerGlobalLpPool);
  registry.add("GlobalMaxPool", {1, 22}, lowerGlobalMaxPool);
  registry.add("LpPool", {1, 2, 11, 18, 22}, lowerLpPool);
  registry.add("MaxRoiPool", {1, 22}, lowerMaxRoiPool);
}
} // namespace onnxfold::dml
