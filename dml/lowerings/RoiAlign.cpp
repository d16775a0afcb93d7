//===- RoiAlign.cpp - Lowering of onnx.RoiAlign --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Points between pixels, summed or compared. In mode max the weighted corners of
// the points are compared, not their sums, as the reference evaluator has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerRoiAlign(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims, &rois = cx.input(1).dims;
  int64_t count = cx.op().getInt("sampling_ratio", 0);
  if (count == 0)
    return Lowered::refused("the number of points depends on the regions",
                            "set sampling_ratio");
  if (!cx.input(0).isStatic())
    return Lowered::refusedBatch("regions count along the free batch size");
  bool isHalf = cx.op().since() >= 16 &&
                cx.op().getString("coordinate_transformation_mode",
                                  "half_pixel") == "half_pixel";
  Moved pixels = transposed(cx, cx.natural(0), x, {0, 2, 3, 1});
  Expr rows = cx.splitAt(pixels.view, pixels.dims, 3).expr;
  Size regions = sizeOf(llvm::ArrayRef<int64_t>(rois).take_front());
  int64_t height = cx.op().getInt("output_height", 1),
          width = cx.op().getInt("output_width", 1);
  Expr y = cx.helper(
      "roi_align",
      {rows, cx.matrix(1), cx.reshape(cx.natural(2), regions, {}).expr, x[2],
       x[3], height, width, count, double(cx.op().getFloat("spatial_scale", 1)),
       isHalf ? 0.5 : 0, cx.op().getString("mode", "avg") == "max" ? 1 : 0});
  View bins{cx.local("pooled", y),
            {regions.count * height * width, regions.perBatch},
            {x[1]}};
  cx.define(0, axisBack(cx, bins, {rois[0], height, width, x[1]}, 1).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerRoiAlignLowering(LoweringRegistry &registry) {
  registry.add("RoiAlign", {10, 16, 22}, lowerRoiAlign);
}
} // namespace onnxfold::dml
