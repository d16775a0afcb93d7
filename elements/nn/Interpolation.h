//===- Interpolation.h - Values between elements ----------------*- C++ -*-===//
//
// Resampling in double: along one axis after another, where the new positions
// of an axis do not depend on the others (resizing), and at any points.
//
//   // Twice as many columns of a matrix, linear:
//   auto weights = axisWeights({-0.25, 0.25, 0.75, 1.25}, /*length=*/2, {});
//   Elements y = interpolateAxis(x, 1, *weights);
//
//   Elements y = samplePoints(x, grid, {.padding = SamplePadding::Border});
//
// Elements whose weight is 0 are not looked at: an infinity or NaN there does
// not matter, and a position that is an element's own gives that element.
// Results are deferred. Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_INTERPOLATION_H
#define ONNXFOLD_ELEMENTS_NN_INTERPOLATION_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// What an element at a distance weighs. Linear: 1 - |distance| up to a
/// distance of 1. Cubic: the convolution kernel of R. Keys (IEEE 1163711,
/// equation 4) up to 2, with his coefficient a.
struct InterpolationFilter {
  bool cubic = false;
  double a = -0.75;

  double radius() const { return cubic ? 2 : 1; }
  double operator()(double distance) const;
};

//===--- along an axis ----------------------------------------------------===//

struct ResamplingOptions {
  InterpolationFilter filter = {};
  /// How much wider the filter is, against aliasing where an axis shrinks.
  double stretch = 1;
  /// Positions outside of the axis weigh nothing, and the others more; else the
  /// first and the last element are repeated without end.
  bool excludeOutside = false;
};

/// Element i of the result is the sum over `taps` begins[i] to begins[i + 1] of
/// weight * element `index` of the axis.
struct AxisWeights {
  struct Tap {
    int64_t index;
    double weight;
  };
  std::vector<int64_t> begins = {0};
  std::vector<Tap> taps;

  int64_t size() const { return begins.size() - 1; }
  /// Every element is where it was, on an axis of that length.
  bool isIdentity(int64_t length) const;
};

/// Weights for an axis of `length` elements at these coordinates (0: the first
/// element); nothing if all elements around one are excluded.
/// REQUIRES: length > 0, stretch >= 1; coordinates and stretch below 2^52.
std::optional<AxisWeights> axisWeights(llvm::ArrayRef<double> coordinates,
                                       int64_t length,
                                       const ResamplingOptions &options);

/// x (f64) with one axis interpolated. REQUIRES: weights for its length.
Elements interpolateAxis(const Elements &x, int64_t axis, AxisWeights weights);

//===--- at points --------------------------------------------------------===//

/// What lies outside of an image.
enum class SamplePadding : uint8_t {
  Zeros,
  Border,     // the element at the border
  Reflection, // the image, mirrored at its borders again and again
};

struct SamplingOptions {
  InterpolationFilter filter = {};
  SamplePadding padding = SamplePadding::Zeros;
  /// Coordinates -1 and 1 are the centres of the first and the last element, at
  /// which reflection mirrors; else their outer edges.
  bool alignCorners = false;
};

/// x [batch, channels, image...] at points [batch, positions..., rank], of
/// which the coordinates of the last dimension of the image come first:
/// [batch, channels, positions...]. REQUIRES: f64; finite coordinates below
/// 2^900; an image of at least one element.
Elements samplePoints(const Elements &x, const Elements &points,
                      const SamplingOptions &options);

/// The number of the element of the image that is nearest to each point (half
/// to even), -1 where a point is outside and padded with zeros: i64 [batch,
/// positions...]. REQUIRES: as samplePoints.
Elements nearestToPoints(const Elements &points, ShapeRef image,
                         const SamplingOptions &options);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_INTERPOLATION_H
