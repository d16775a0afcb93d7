//===- ResizeKernels.h - What resizing and sampling share -------*- C++ -*-===//
//
// Resize and Upsample are one axis after another: a kernel says which axes
// become how long and how coordinates are counted, and resize does the rest.
//
//   ResizeOptions options = {.coordinates = Coordinates::Asymmetric};
//   return resize(cx, x, options, axes);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_RESIZEKERNELS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_RESIZEKERNELS_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/nn/Interpolation.h"

namespace onnxfold {

/// Attribute `coordinate_transformation_mode`.
enum class Coordinates : uint8_t {
  HalfPixel,
  HalfPixelSymmetric,
  PytorchHalfPixel,
  AlignCorners,
  Asymmetric,
  TfHalfPixelForNn,
  TfCropAndResize,
};

enum class Interpolation : uint8_t { Nearest, Linear, Cubic };

/// Attribute `nearest_mode`.
enum class NearestMode : uint8_t {
  RoundPreferFloor,
  RoundPreferCeil,
  Floor,
  Ceil,
  FloorOrCeil, // Resize before version 11: up where the axis shrinks
};

struct ResizeOptions {
  Interpolation mode = Interpolation::Nearest;
  Coordinates coordinates = Coordinates::HalfPixel;
  NearestMode nearest = NearestMode::RoundPreferFloor;
  double cubicA = -0.75;
  bool antialias = false, excludeOutside = false;
  double extrapolation = 0;
};

/// An axis that becomes longer or shorter.
struct ResizedAxis {
  int64_t axis;
  int64_t original, resized;
  /// The length before it was rounded to `resized` is width / parts;
  /// coordinates are scaled by its ratio to `original`. Two numbers, so that
  /// coordinates are rounded once, and are whole where they should be.
  double width, parts = 1;
  double start = 0, end = 1; // region of interest
};

using ResizedAxes = llvm::SmallVector<ResizedAxis, 4>;

/// All axes of x, in order, each `scales` times as long, rounded down. `axes`:
/// which (null: all).
ReasonOr<ResizedAxes> scaledAxes(const Elements &x, ShapeRef axes,
                                 llvm::ArrayRef<float> scales);

/// x resized. Nearest moves elements of any type; else numbers are computed in
/// double: floats and complex ones are rounded once, integers to the nearest
/// (half to even), saturating.
FoldResult resize(FoldContext &cx, const Elements &x,
                  const ResizeOptions &options,
                  llvm::ArrayRef<ResizedAxis> axes);

/// f of x in f64, rounded once: of floats, and, as f is linear, of the real and
/// the imaginary parts of complex numbers. Integers are left in f64, for the
/// caller to round. Null for other types.
Elements linearInDouble(const Elements &x,
                        llvm::function_ref<Elements(const Elements &)> f);

/// Numbers in f64 where those that differ from a multiple of 1/2 by the
/// rounding of weights alone are that multiple: to be made integers, by
/// whatever rule.
Elements withoutNoise(const Elements &wide);

/// A tensor of no elements. REQUIRES: a dimension of 0.
Elements emptyTensor(DataType type, ShapeRef shape);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_RESIZEKERNELS_H
