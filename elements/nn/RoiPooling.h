//===- RoiPooling.h - Pooling of regions of an image ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Region-of-interest pooling on [batch, channels, height, width] in f64.
//
//   Elements y = roiAlign(x, rois, images, {.height = 7, .width = 7});
//
// Results are deferred and computed in double. Thread safety: pure functions.
// REQUIRES: all operands but `images` are f64; every image number is inside the
// batch.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_ROIPOOLING_H
#define ONNXFOLD_ELEMENTS_NN_ROIPOOLING_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

struct RoiAlignOptions {
  int64_t height = 1, width = 1; // of the result
  int64_t samplingRatio = 0;     // points along a side of a bin; 0: by its size
  double scale = 1;
  bool halfPixel = true; // coordinates are reduced by half a pixel
  bool largest = false;  // maximum of weighted corners of all points, or mean
};

/// The number of points that roiAlign interpolates in each channel, or nothing
/// if a region is not finite.
std::optional<double> roiAlignPoints(const Elements &rois,
                                     const RoiAlignOptions &options);

/// ONNX RoiAlign, of shape [regions, channels, height, width]. `rois` [regions,
/// 4] has x1, y1, x2, y2 of each region, `images` [regions] (i64) the number of
/// its image. REQUIRES: roiAlignPoints has a value.
Elements roiAlign(const Elements &x, const Elements &rois,
                  const Elements &images, const RoiAlignOptions &options);

/// ONNX MaxRoiPool: the largest element of each bin of a region, of shape
/// [regions, channels, height, width]. It is 0 if the bin is empty, NaN if the
/// bin has a NaN. `rois` [regions, 5] has image, x1, y1, x2, y2 of each region.
/// The coordinates are scaled and rounded to pixels, half away from 0, and both
/// ends belong to the region. REQUIRES: scaled coordinates are below 2^31.
Elements maxRoiPool(const Elements &x, const Elements &rois, int64_t height,
                    int64_t width, double scale);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_ROIPOOLING_H
