//===- RoiAlign.cpp - Constant kernel of onnx.RoiAlign --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Mean (or maximum) of points that are interpolated in each bin of a region.
// Spec: onnx RoiAlign, versions 10 (no shift by half a pixel), 16
// (coordinate_transformation_mode), 22. In mode max the weighted corners of the
// points are compared, not their sums, as the reference evaluator has it.
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/RoiPooling.h"
#include "onnxfold/onnx/kernels/support/Indices.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Attributes, or what is wrong with them.
static Reason readOptions(FoldContext &cx, RoiAlignOptions &options) {
  std::string mode = cx.string("mode").value_or("avg");
  std::string shift =
      cx.version() < 16
          ? "output_half_pixel"
          : cx.string("coordinate_transformation_mode").value_or("half_pixel");
  options.height = cx.integer("output_height").value_or(1);
  options.width = cx.integer("output_width").value_or(1);
  options.samplingRatio = cx.integer("sampling_ratio").value_or(0);
  options.scale = cx.real("spatial_scale").value_or(1);
  options.largest = mode == "max";
  options.halfPixel = shift == "half_pixel";
  if (mode != "avg" && mode != "max")
    return invalid("attribute 'mode' is '" + mode + "', expected avg or max");
  if (!options.halfPixel && shift != "output_half_pixel")
    return invalid("attribute 'coordinate_transformation_mode' is '" + shift +
                   "'");
  if (options.height < 1 || options.width < 1 || options.samplingRatio < 0)
    return invalid("the output is " + llvm::Twine(options.height) + " x " +
                   llvm::Twine(options.width) + ", of " +
                   llvm::Twine(options.samplingRatio) + " points each");
  return {};
}

static FoldResult foldRoiAlign(FoldContext &cx) {
  const Elements &x = cx.input(0), &rois = cx.input(1), &images = cx.input(2);
  RoiAlignOptions options;
  if (auto wrong = readOptions(cx, options))
    return wrong;
  if (x.rank() != 4 || rois.rank() != 2 || rois.dim(1) != 4 ||
      images.shape() != ShapeRef({rois.dim(0)}) || rois.type() != x.type() ||
      typeClass(x.type()) != TypeClass::Float)
    return invalid("inputs have shapes " + toString(x.shape()) + ", " +
                   toString(rois.shape()) + " and " + toString(images.shape()));
  if (x.size() == 0)
    return undefined("input #0 has shape " + toString(x.shape()));
  if (auto outside = checkIndices(images, x.dim(0)))
    return outside;
  if (auto negative = checkNotNegative(images))
    return negative;
  Shape shape = {rois.dim(0), x.dim(1), options.height, options.width};
  for (ShapeRef part : {ShapeRef(shape), ShapeRef(shape).drop_front()})
    if (auto limit = cx.checkResult(x.type(), part))
      return limit;
  std::optional<double> points =
      roiAlignPoints(cast(rois, DataType::Float64), options);
  if (!points)
    return undefined("a region is not finite");
  if (auto limit = cx.checkWork(*points * x.dim(1), 60))
    return limit;
  if (Reason unlike = checkFinite(cx, 0))
    return unlike;
  return roundedOnce({x, rois}, [&](auto e) {
    return roiAlign(cast(e[0], DataType::Float64),
                    cast(e[1], DataType::Float64),
                    cast(images, DataType::Int64), options);
  });
}

namespace onnxfold {
void registerRoiAlign(KernelRegistry &registry) {
  registry.add("RoiAlign", {10, 16, 22}, foldRoiAlign);
}
} // namespace onnxfold
