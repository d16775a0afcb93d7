//===- ResizeKernels.cpp - What resizing and sampling share ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/ResizeKernels.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// Lengths and coordinates
//===----------------------------------------------------------------------===//

ReasonOr<ResizedAxes> onnxfold::scaledAxes(FoldContext &cx, const Elements &x,
                                           ShapeRef axes,
                                           llvm::ArrayRef<float> scales) {
  ResizedAxes result;
  if (scales.size() != axes.size())
    return invalid("there are " + llvm::Twine(scales.size()) + " scales for " +
                   llvm::Twine(axes.size()) + " axes");
  for (auto [axis, scale] : llvm::zip_equal(axes, scales)) {
    int64_t original = x.dim(axis);
    double width = double(original) * scale;
    if (!(scale > 0) || !(width < 0x1p53))
      return invalid("the scale of axis " + llvm::Twine(axis) + " is " +
                     std::to_string(scale));
    auto resized = int64_t(width);
    if (!mustDecide(cx) && float(original) * scale != width &&
        std::floor(float(original) * scale) != double(resized))
      return undefined("axis " + llvm::Twine(axis) + " has " +
                       llvm::Twine(resized) + " elements, in f32 as in ONNX " +
                       "Runtime " +
                       llvm::Twine(int64_t(float(original) * scale)));
    // A scale that is the ratio of the lengths but for its own rounding means
    // that ratio.
    if (original != 0 && float(double(resized) / original) == scale)
      width = resized;
    result.push_back({axis, original, resized, width});
  }
  return result;
}

/// The coordinate in the original tensor of element number x of the resized
/// one.
static double originalCoordinate(const ResizedAxis &a, Coordinates coordinates,
                                 double x) {
  double n = a.original, m = a.resized, p = a.width, q = a.parts;
  switch (coordinates) {
  case Coordinates::PytorchHalfPixel:
    if (m <= 1)
      return 0;
    [[fallthrough]];
  case Coordinates::HalfPixel: // (x + 1/2) / scale - 1/2
    return ((2 * x + 1) * n * q - p) / (2 * p);
  case Coordinates::HalfPixelSymmetric: // + n / 2 * (1 - m / width)
    return (n * (p - m * q) + (2 * x + 1) * n * q - p) / (2 * p);
  case Coordinates::AlignCorners:
    return m > 1 ? x * (n - 1) * q / (p - q) : 0;
  case Coordinates::Asymmetric:
    return x * n * q / p;
  case Coordinates::TfHalfPixelForNn:
    return (2 * x + 1) * n * q / (2 * p);
  case Coordinates::TfCropAndResize:
    return m > 1 ? (a.start * (m - 1 - x) + a.end * x) * (n - 1) / (m - 1)
                 : 0.5 * (a.start + a.end) * (n - 1);
  }
  return 0;
}

static double nearestTo(double x, NearestMode mode, bool shrinks) {
  double floor = std::floor(x), part = x - floor;
  switch (mode) {
  case NearestMode::RoundPreferFloor:
    return part > 0.5 ? floor + 1 : floor;
  case NearestMode::RoundPreferCeil:
    return part >= 0.5 ? floor + 1 : floor;
  case NearestMode::Floor:
    return floor;
  case NearestMode::Ceil:
    return std::ceil(x);
  case NearestMode::FloorOrCeil:
    return shrinks ? std::ceil(x) : floor;
  }
  return floor;
}

//===----------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------===//

namespace {

/// One axis of the result: positions [first, last) are computed, those before
/// and after lie outside of the image and are extrapolated.
class AxisPlan {
public:
  AxisPlan(const ResizedAxis &axis, const ResizeOptions &options)
      : axis(axis), last(axis.resized), options(&options) {
    if (options.coordinates != Coordinates::TfCropAndResize)
      return;
    // Coordinates run in one direction, so that those inside are neighbours.
    auto isInside = [&](int64_t i) {
      double x = at(i);
      return x >= 0 && x <= double(axis.original - 1);
    };
    while (first < last && !isInside(first))
      ++first;
    while (last > first && !isInside(last - 1))
      --last;
  }

  /// How many elements each result is made of, at most.
  double taps() const {
    return options->mode == Interpolation::Nearest
               ? 1
               : 2 * filter().radius() * stretch() + 1;
  }

  /// The elements to gather, or nothing if one is outside and excluded.
  std::optional<Elements> indices() const {
    bool outside = false;
    Elements result = Elements::build<int64_t>({last - first}, [&](auto out) {
      for (int64_t i = first; i < last; ++i) {
        double x =
            nearestTo(at(i), options->nearest, axis.width < axis.original);
        outside |= x < 0 || x >= axis.original;
        out[i - first] = std::clamp<double>(x, 0, axis.original - 1);
      }
    });
    if (outside && options->excludeOutside)
      return std::nullopt;
    return result;
  }

  std::optional<AxisWeights> weights() const {
    std::vector<double> coordinates;
    coordinates.reserve(last - first);
    for (int64_t i = first; i < last; ++i)
      coordinates.push_back(at(i));
    return axisWeights(coordinates, axis.original,
                       {filter(), stretch(), options->excludeOutside});
  }

  ResizedAxis axis;
  int64_t first = 0, last;

private:
  double at(int64_t i) const {
    return originalCoordinate(axis, options->coordinates, i);
  }
  InterpolationFilter filter() const {
    return {options->mode == Interpolation::Cubic, options->cubicA};
  }
  double stretch() const {
    return options->antialias
               ? std::max(1.0, axis.original * axis.parts / axis.width)
               : 1;
  }

  const ResizeOptions *options;
};

} // namespace

Elements onnxfold::withoutNoise(const Elements &wide) {
  return mapAs<double, double>(wide, [](double v) {
    double near = std::nearbyint(v * 2) / 2;
    double noise = 0x1p-40 * std::max(1.0, std::fabs(v));
    return std::fabs(v - near) <= noise ? near : v;
  });
}

/// Numbers in f64 to the nearest integers (half to even) that `type` has.
static Elements saturatedIntegers(const Elements &wide, DataType type) {
  Elements result;
  visitInteger(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = mapAs<T, double>(wide, [](double v) {
      using Limits = std::numeric_limits<T>;
      v = std::nearbyint(v);
      if (v >= std::ldexp(1.0, Limits::digits))
        return Limits::max();
      return v > double(Limits::min()) ? T(v) : Limits::min(); // also of NaN
    });
  });
  return result;
}

Elements onnxfold::emptyTensor(DataType type, ShapeRef shape) {
  assert(numElements(shape) == 0);
  return Elements::fromBuffer(type, shape,
                              llvm::makeIntrusiveRefCnt<HeapBuffer>(0));
}

Elements
onnxfold::linearInDouble(const Elements &x,
                         llvm::function_ref<Elements(const Elements &)> f) {
  auto ofDoubles = [&](auto e) { return f(cast(e[0], DataType::Float64)); };
  if (isInteger(x.type()))
    return ofDoubles(llvm::ArrayRef(x));
  if (typeClass(x.type()) == TypeClass::Float) {
    Elements wide = inWide(x, ofDoubles);
    return wide ? wide : cast(ofDoubles(llvm::ArrayRef(x)), x.type());
  }
  if (!isComplex(x.type()))
    return {};
  Elements wide = cast(x, DataType::Complex128);
  using Number = std::complex<double>;
  Elements re =
      f(mapAs<double, Number>(wide, [](Number v) { return v.real(); }));
  Elements im =
      f(mapAs<double, Number>(wide, [](Number v) { return v.imag(); }));
  return cast(zipAs<Number, double, double>(
                  re, im, [](double r, double i) { return Number(r, i); }),
              x.type());
}

/// The element outside of a region; null if the type has no such
/// element.
static Elements extrapolationOf(DataType type, double value) {
  Elements wide = Elements::splat<double>({}, value);
  if (isInteger(type))
    return saturatedIntegers(wide, type);
  return isFloat(type) || isComplex(type) ? cast(wide, type) : Elements();
}

/// Resizes x without interpolation, or says why not. Its positions are those
/// that are not extrapolated.
static Reason moveNearest(Elements &x, llvm::ArrayRef<AxisPlan> plans) {
  for (const AxisPlan &plan : plans) {
    std::optional<Elements> indices = plan.indices();
    if (!indices)
      return undefined("the nearest element along axis " +
                       llvm::Twine(plan.axis.axis) + " is excluded");
    x = gather(x, *indices, plan.axis.axis);
  }
  return {};
}

/// Why a number that is no integer cannot become one, if there is such.
static Reason disputedFraction(const Elements &wide) {
  for (double v : wide.values<double>()) {
    if (v == std::trunc(v))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%g", v);
    return undefined("an element is " + text +
                     " before it becomes an integer, which the reference "
                     "evaluator rounds and ONNX Runtime truncates");
  }
  return {};
}

/// The same with interpolation; x becomes null if its type has none.
static Reason interpolate(FoldContext &cx, Elements &x,
                          llvm::ArrayRef<AxisPlan> plans) {
  llvm::SmallVector<std::pair<int64_t, AxisWeights>, 4> steps;
  Shape shape(x.shape());
  double work = 0;
  for (const AxisPlan &plan : plans) {
    int64_t axis = plan.axis.axis, taps = std::min(plan.taps(), 0x1p40);
    // The list of weights may be longer than the result.
    if (auto limit = cx.checkResult(DataType::Complex128,
                                    {plan.last - plan.first, taps}))
      return limit;
    std::optional<AxisWeights> weights = plan.weights();
    if (!weights)
      return undefined("all elements around a position of axis " +
                       llvm::Twine(axis) + " are excluded");
    if (weights->isIdentity(shape[axis]))
      continue;
    shape[axis] = weights->size();
    work += double(numElements(shape)) * taps;
    steps.emplace_back(axis, std::move(*weights));
  }
  if (auto limit = cx.checkWork(work))
    return limit;
  if (steps.empty()) // integers of 64 bits are not exact in double
    return {};
  DataType type = x.type();
  x = linearInDouble(x, [&](Elements e) {
    for (auto &[axis, weights] : steps)
      e = interpolateAxis(e, axis, weights);
    return e;
  });
  if (!isInteger(type))
    return {};
  x = withoutNoise(x);
  if (!mustDecide(cx))
    if (Reason reason = disputedFraction(x))
      return reason;
  x = saturatedIntegers(x, type);
  return {};
}

FoldResult onnxfold::resize(FoldContext &cx, const Elements &x,
                            const ResizeOptions &options,
                            llvm::ArrayRef<ResizedAxis> axes) {
  Shape shape(x.shape()), begins(x.rank(), 0), ends(x.rank(), 0);
  for (const ResizedAxis &a : axes)
    shape[a.axis] = a.resized;
  if (auto limit = cx.checkResult(x.type(), shape))
    return limit;
  if (numElements(shape) == 0)
    return emptyTensor(x.type(), shape);
  if (x.size() == 0)
    return undefined("the input has shape " + toString(x.shape()) +
                     ", the result " + toString(shape));
  // The text has the ratio of the lengths and thus a copy, as ONNX Runtime has;
  // the reference evaluator interpolates by the scales.
  if (shape == x.shape() &&
      options.coordinates != Coordinates::TfCropAndResize &&
      llvm::any_of(axes, [](const ResizedAxis &a) {
        return a.resized > 1 && a.width != a.original * a.parts;
      }))
    return undefined("no length changes, though a scale is not 1");
  if (options.mode != Interpolation::Nearest)
    if (Reason unlike = checkFinite(cx, 0))
      return unlike;
  llvm::SmallVector<AxisPlan, 4> plans;
  bool pads = false, anyInside = true;
  for (const ResizedAxis &a : axes) {
    if (auto limit = cx.checkResult(DataType::Int64, {a.resized}))
      return limit;
    const AxisPlan &plan = plans.emplace_back(a, options);
    begins[a.axis] = plan.first;
    ends[a.axis] = a.resized - plan.last;
    pads |= plan.last - plan.first < a.resized;
    anyInside &= plan.first < plan.last;
  }
  Elements fill =
      pads ? extrapolationOf(x.type(), options.extrapolation) : Elements();
  if (pads && !fill)
    return undefined("a position is extrapolated, and the type is " +
                     name(x.type()));
  if (!anyInside)
    return fill.expand(shape);
  // Axes that shrink come first: they leave less to do for the others.
  llvm::stable_sort(plans, [](const AxisPlan &a, const AxisPlan &b) {
    return double(a.axis.resized) / a.axis.original <
           double(b.axis.resized) / b.axis.original;
  });
  Elements result = x;
  if (auto wrong = options.mode == Interpolation::Nearest
                       ? moveNearest(result, plans)
                       : interpolate(cx, result, plans))
    return wrong;
  if (!pads || !result)
    return result;
  return pad(result, begins, ends, PadMode::Constant, fill);
}
