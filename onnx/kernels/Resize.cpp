//===- Resize.cpp - Constant kernel of onnx.Resize ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Resampling, one axis after another in double, rounded once. Spec: onnx
// Resize, versions 10 (scales alone), 11 (roi, sizes, coordinates, cubic), 13
// (optional inputs), 18 (antialias, axes, keep_aspect_ratio_policy), 19
// (half_pixel_symmetric). Lengths are those of ONNX's own inference.
// Coordinates are scaled by `scales`, also where floor made a length shorter,
// as the stored tests have it. Version 10: x / scale; nearest rounds down, up
// where the axis shrinks.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/ResizeKernels.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static Reason unknownWord(llvm::StringRef attribute, const std::string &value) {
  return invalid("attribute '" + attribute + "' is '" + value + "'");
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static std::optional<Interpolation> modeOf(llvm::StringRef name, int version) {
  auto mode = llvm::StringSwitch<std::optional<Interpolation>>(name)
                  .Case("nearest", Interpolation::Nearest)
                  .Case("linear", Interpolation::Linear)
                  .Case("cubic", Interpolation::Cubic)
                  .Default(std::nullopt);
  return mode == Interpolation::Cubic && version < 11 ? std::nullopt : mode;
}

static std::optional<Coordinates> coordinatesOf(FoldContext &cx,
                                                llvm::StringRef name) {
  int version = cx.version();
  if (name == "half_pixel_symmetric" && version < 19)
    return std::nullopt;
  // The tests of version 13 have it (ONNX 1.9), its text has not, and ONNX
  // Runtime has it for all later ones.
  if (name == "tf_half_pixel_for_nn" && version > 13 && !mustDecide(cx))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Coordinates>>(name)
      .Case("half_pixel", Coordinates::HalfPixel)
      .Case("half_pixel_symmetric", Coordinates::HalfPixelSymmetric)
      .Case("pytorch_half_pixel", Coordinates::PytorchHalfPixel)
      .Case("align_corners", Coordinates::AlignCorners)
      .Case("asymmetric", Coordinates::Asymmetric)
      .Case("tf_half_pixel_for_nn", Coordinates::TfHalfPixelForNn)
      .Case("tf_crop_and_resize", Coordinates::TfCropAndResize)
      .Default(std::nullopt);
}

static std::optional<NearestMode> nearestModeOf(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<NearestMode>>(name)
      .Case("round_prefer_floor", NearestMode::RoundPreferFloor)
      .Case("round_prefer_ceil", NearestMode::RoundPreferCeil)
      .Case("floor", NearestMode::Floor)
      .Case("ceil", NearestMode::Ceil)
      .Default(std::nullopt);
}

static Reason readOptions(FoldContext &cx, ResizeOptions &options) {
  std::string mode = cx.string("mode").value_or("nearest");
  auto interpolation = modeOf(mode, cx.version());
  if (!interpolation)
    return unknownWord("mode", mode);
  options.mode = *interpolation;
  if (cx.version() < 11) {
    options.coordinates = Coordinates::Asymmetric;
    options.nearest = NearestMode::FloorOrCeil;
    return {};
  }
  std::string transformation =
      cx.string("coordinate_transformation_mode").value_or("half_pixel");
  std::string nearest =
      cx.string("nearest_mode").value_or("round_prefer_floor");
  auto coordinates = coordinatesOf(cx, transformation);
  auto nearestMode = nearestModeOf(nearest);
  if (!coordinates)
    return unknownWord("coordinate_transformation_mode", transformation);
  if (!nearestMode && options.mode == Interpolation::Nearest)
    return unknownWord("nearest_mode", nearest);
  options.coordinates = *coordinates;
  options.nearest = nearestMode.value_or(options.nearest);
  options.cubicA = cx.real("cubic_coeff_a").value_or(-0.75f);
  options.excludeOutside = cx.integer("exclude_outside").value_or(0) != 0;
  options.extrapolation = cx.real("extrapolation_value").value_or(0);
  options.antialias =
      cx.version() >= 18 && cx.integer("antialias").value_or(0) != 0;
  if (!std::isfinite(options.cubicA) && options.mode == Interpolation::Cubic)
    return invalid("attribute 'cubic_coeff_a' is not finite");
  if (options.antialias && options.mode == Interpolation::Nearest)
    return invalid("attribute 'antialias' is set, the mode is nearest");
  return {};
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

/// Empty tensors say that an input is left out, too.
static bool isGiven(FoldContext &cx, unsigned input) {
  return cx.hasInput(input) && cx.input(input).size() != 0;
}

/// Axes of the given sizes, scaled by the ratio of the lengths.
static ReasonOr<ResizedAxes> sizedAxes(const Elements &x, ShapeRef axes,
                                       ShapeRef sizes) {
  if (sizes.size() != axes.size())
    return invalid("there are " + llvm::Twine(sizes.size()) + " sizes for " +
                   llvm::Twine(axes.size()) + " axes");
  if (llvm::any_of(sizes, [](int64_t size) { return size < 0; }))
    return invalid("the sizes are " + toString(sizes));
  ResizedAxes result;
  for (auto [axis, size] : llvm::zip_equal(axes, sizes))
    result.push_back({axis, x.dim(axis), size, double(size)});
  return result;
}

/// Gives all axes the smallest (or largest) of their scales, so that the image
/// keeps its proportions. A reason if a length is 0.
static Reason keepProportions(ResizedAxes &axes, bool smallest) {
  const ResizedAxis *best = nullptr;
  double scale = 0;
  for (const ResizedAxis &a : axes) {
    if (a.original == 0)
      return undefined("axis " + llvm::Twine(a.axis) + " has no proportion");
    double other = double(a.resized) / a.original;
    if (!best || (smallest ? other < scale : other > scale)) {
      best = &a;
      scale = other;
    }
  }
  double numerator = best->resized, denominator = best->original;
  for (ResizedAxis &a : axes) {
    if (!(scale * a.original < 0x1p53))
      return invalid("axis " + llvm::Twine(a.axis) + " becomes too long");
    a.width = numerator * a.original;
    a.parts = denominator;
    a.resized = int64_t(std::round(scale * a.original)); // as inference does
  }
  return {};
}

/// Input roi, for mode tf_crop_and_resize alone.
static Reason readRegion(FoldContext &cx, ResizedAxes &axes) {
  size_t count = axes.size();
  if (!cx.hasInput(1) || cx.input(1).shape() != ShapeRef(int64_t(2 * count)))
    return invalid("input #1 is not a region of " + llvm::Twine(count) +
                   " axes");
  std::vector<double> roi =
      cast(cx.input(1), DataType::Float64).values<double>();
  for (double bound : roi)
    if (!(std::fabs(bound) < 0x1p100))
      return undefined("a region is not finite");
  for (auto [i, a] : llvm::enumerate(axes)) {
    a.start = roi[i];
    a.end = roi[count + i];
  }
  return {};
}

/// Reads from scales and sizes what becomes of the axes.
static ReasonOr<ResizedAxes> readAxes(FoldContext &cx, ShapeRef axes) {
  const Elements &x = cx.input(0);
  unsigned scalesInput = cx.version() < 11 ? 1 : 2;
  bool byScales = isGiven(cx, scalesInput), bySizes = isGiven(cx, 3);
  std::string policy =
      cx.string("keep_aspect_ratio_policy").value_or("stretch");
  bool stretch = cx.version() < 18 || policy == "stretch";
  if (byScales == bySizes)
    return invalid("expected either scales or sizes");
  if (cx.input(byScales ? scalesInput : 3).rank() != 1)
    return invalid("the scales or sizes are not a vector");
  if (!stretch && policy != "not_larger" && policy != "not_smaller")
    return unknownWord("keep_aspect_ratio_policy", policy);
  if (byScales && !stretch)
    return invalid("the scales do not go with a policy");
  if (byScales && cx.input(scalesInput).type() != DataType::Float32)
    return invalid("the scales have type " +
                   name(cx.input(scalesInput).type()));
  if (byScales)
    return scaledAxes(cx, x, axes, cx.input(scalesInput).values<float>());
  ReasonOr<ResizedAxes> result = sizedAxes(x, axes, cx.intsOf(3));
  if (!result || stretch)
    return result;
  if (Reason wrong = keepProportions(*result, policy == "not_larger"))
    return wrong;
  return result;
}

/// tf_half_pixel_for_nn shifts by half an element, in the text also axes that
/// do not change; for runtimes those are no part of it.
static bool shiftsUnchanged(const ResizeOptions &options,
                            const ResizedAxes &axes) {
  bool nearestIsItself = options.mode == Interpolation::Nearest &&
                         (options.nearest == NearestMode::Floor ||
                          options.nearest == NearestMode::RoundPreferFloor);
  return options.coordinates == Coordinates::TfHalfPixelForNn &&
         !nearestIsItself && llvm::any_of(axes, [](const ResizedAxis &a) {
           return a.width == a.original;
         });
}

static FoldResult foldResize(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ResizeOptions options;
  if (auto wrong = readOptions(cx, options))
    return wrong;
  auto given = cx.version() >= 18 ? cx.ints("axes") : std::nullopt;
  ReasonOr<Shape> axes =
      normalizedAxes(given.value_or(firstAxes(x.rank())), x.rank());
  if (!axes)
    return axes.reason();
  ReasonOr<ResizedAxes> resized = readAxes(cx, *axes);
  if (!resized)
    return resized.reason();
  if (options.coordinates == Coordinates::TfCropAndResize)
    if (auto wrong = readRegion(cx, *resized))
      return wrong;
  if (shiftsUnchanged(options, *resized))
    return undefined("an axis that does not change would be shifted by half an "
                     "element");
  return resize(cx, x, options, *resized);
}

namespace onnxfold {
void registerResize(KernelRegistry &registry) {
  registry.add("Resize", {10, 11, 13, 18, 19}, foldResize);
}
} // namespace onnxfold
