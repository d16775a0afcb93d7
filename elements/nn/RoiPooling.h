//===- RoiPooling.h - Pooling of regions of an image ------------*- C++ -*-===//
//
// Region-of-interest pooling on [batch, channels, height, width] in f64.
//
//   Elements y = roiAlign(x, rois, images, {.height = 7, .width = 7});
//
// Results are deferred and computed in double. Thread safety: pure functions.
// REQUIRES: f64 but for `images`; every image number inside the batch.
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
  bool halfPixel = true; // coordinates are half a pixel less
  bool largest = false;  // of the weighted corners of all points; else the mean
};

/// Points that roiAlign interpolates in each channel, or nothing if a region is
/// not finite.
std::optional<double> roiAlignPoints(const Elements &rois,
                                     const RoiAlignOptions &options);

/// ONNX RoiAlign: rois [regions, 4] as x1, y1, x2, y2; `images` (i64) the
/// number of the image of each. REQUIRES: roiAlignPoints.
Elements roiAlign(const Elements &x, const Elements &rois,
                  const Elements &images, const RoiAlignOptions &options);

/// The largest element of each bin of a region, 0 where a bin meets nothing;
/// NaN if there is one. rois [regions, 5] as image, x1, y1, x2, y2: scaled and
/// rounded half away from 0 to pixels, both ends included. REQUIRES: scaled
/// coordinates below 2^31.
Elements maxRoiPool(const Elements &x, const Elements &rois, int64_t height,
                    int64_t width, double scale);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_ROIPOOLING_H
