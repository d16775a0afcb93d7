//===- MaxRoiPool.cpp - Constant kernel of onnx.MaxRoiPool ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest element of each bin of a region, 0 where a bin meets nothing.
// Spec: onnx MaxRoiPool, versions 1, 22. The text does not say how coordinates
// become pixels: as in Fast R-CNN and ONNX Runtime, rounded half away from 0,
// both ends included; bins overlap where a region does not divide.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/RoiPooling.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Windows.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

/// A reason if a region names no image, or is too far away to be counted.
static Reason checkRois(const Elements &rois, int64_t images, double scale) {
  ElementsArray<double> values(cast(rois, DataType::Float64));
  for (int64_t i = 0; i < rois.size(); ++i) {
    double v = values[i];
    bool good = i % 5 == 0 ? v >= 0 && v < images && v == std::trunc(v)
                           : std::fabs(v * scale) < 0x1p31;
    if (!good)
      return undefined("region element " + toString(indexOf(i, rois.shape())) +
                       (i % 5 == 0 ? " is not an image" : " is out of range"));
  }
  return {};
}

static FoldResult foldMaxRoiPool(FoldContext &cx) {
  const Elements &x = cx.input(0), &rois = cx.input(1);
  Shape pooled = cx.ints("pooled_shape").value_or(Shape());
  double scale = cx.real("spatial_scale").value_or(1);
  if (x.rank() != 4 || rois.rank() != 2 || rois.dim(1) != 5 ||
      rois.type() != x.type() || typeClass(x.type()) != TypeClass::Float)
    return invalid("inputs have shapes " + toString(x.shape()) + " and " +
                   toString(rois.shape()));
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1)
    return invalid("attribute 'pooled_shape' is " + toString(pooled));
  Shape shape = {rois.dim(0), x.dim(1), pooled[0], pooled[1]};
  for (ShapeRef part : {ShapeRef(shape), ShapeRef(shape).drop_front()})
    if (auto limit = cx.checkResult(x.type(), part))
      return limit;
  // Bins overlap by less than one pixel on either side.
  double each = double(x.dim(2) + 2 * pooled[0]) * (x.dim(3) + 2 * pooled[1]);
  if (auto limit = cx.checkWork(each * rois.dim(0) * x.dim(1)))
    return limit;
  if (auto outside = checkRois(rois, x.dim(0), scale))
    return outside;
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  return roundedOnce({x, rois}, [&](auto e) {
    return maxRoiPool(cast(e[0], DataType::Float64),
                      cast(e[1], DataType::Float64), pooled[0], pooled[1],
                      scale);
  });
}

namespace onnxfold {
void registerMaxRoiPool(KernelRegistry &registry) {
  registry.add("MaxRoiPool", {1, 22}, foldMaxRoiPool);
}
} // namespace onnxfold
