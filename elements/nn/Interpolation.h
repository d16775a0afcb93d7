//===- Interpolation.h - Values between elements ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Resampling in double. interpolateAxis works along one axis, so that a caller
// resizes an image axis by axis; samplePoints works at arbitrary points.
//
//   // Twice as many columns of a matrix, linear:
//   auto weights = axisWeights({-0.25, 0.25, 0.75, 1.25}, /*length=*/2, {});
//   Elements y = interpolateAxis(x, 1, *weights);
//
//   Elements y = samplePoints(x, grid, {.padding = SamplePadding::Border});
//
// Elements whose weight is 0 are not read: an infinity or NaN there does not
// affect the result, and a position at an element gives that element.
// Results are deferred. Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_INTERPOLATION_H
#define ONNXFOLD_ELEMENTS_NN_INTERPOLATION_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The weight of an element by its distance. Linear: 1 - |distance| up to a
/// distance of 1. Cubic: the convolution kernel of R. Keys (IEEE 1163711,
/// equation 4) up to a distance of 2, with the coefficient `a`.
struct InterpolationFilter {
  bool cubic = false;
  double a = -0.75;

  double radius() const { return cubic ? 2 : 1; }
  double operator()(double distance) const;
};

//===--- along an axis ----------------------------------------------------===//

struct ResamplingOptions {
  InterpolationFilter filter = {};
  /// The factor by which the filter is widened, against aliasing where an axis
  /// shrinks.
  double stretch = 1;
  /// True: positions outside of the axis have no weight, and the weights of the
  /// others are scaled to a sum of 1. False: the first and the last element are
  /// repeated without end.
  bool excludeOutside = false;
};

/// Element i of the result is the sum over the taps from begins[i] up to, but
/// without, begins[i + 1] of weight * element `index` of the axis.
struct AxisWeights {
  struct Tap {
    int64_t index;
    double weight;
  };
  std::vector<int64_t> begins = {0};
  std::vector<Tap> taps;

  int64_t size() const { return begins.size() - 1; }
  /// Whether the weights leave an axis of that length unchanged.
  bool isIdentity(int64_t length) const;
};

/// The weights for an axis of `length` elements at these coordinates, where 0
/// is the first element. Nothing if all elements around a coordinate are
/// excluded.
/// REQUIRES: length > 0, stretch >= 1; coordinates and stretch below 2^52.
std::optional<AxisWeights> axisWeights(llvm::ArrayRef<double> coordinates,
                                       int64_t length,
                                       const ResamplingOptions &options);

/// x with one axis interpolated. REQUIRES: f64; the weights are for the length
/// of the axis.
Elements interpolateAxis(const Elements &x, int64_t axis, AxisWeights weights);

//===--- at points --------------------------------------------------------===//

/// The values outside of an image.
enum class SamplePadding : uint8_t {
  Zeros,
  Border,     // the element at the border
  Reflection, // the image, mirrored at its borders again and again
};

struct SamplingOptions {
  InterpolationFilter filter = {};
  SamplePadding padding = SamplePadding::Zeros;
  /// True: the coordinates -1 and 1 are the centres of the first and the last
  /// element. False: they are the outer edges of these. Reflection mirrors
  /// there.
  bool alignCorners = false;
};

/// The values of x [batch, channels, image...] at `points` [batch,
/// positions..., rank], of shape [batch, channels, positions...]. The
/// coordinate along the image's last dimension comes first.
/// REQUIRES: f64; finite coordinates below 2^900; an image of at least one
/// element.
Elements samplePoints(const Elements &x, const Elements &points,
                      const SamplingOptions &options);

/// The row-major number of the image element that is nearest to each point
/// (half to even), as i64 [batch, positions...]; -1 where the point is outside
/// and the padding is Zeros. REQUIRES: as samplePoints.
Elements nearestToPoints(const Elements &points, ShapeRef image,
                         const SamplingOptions &options);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_INTERPOLATION_H
