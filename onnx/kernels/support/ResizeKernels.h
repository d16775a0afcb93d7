//===- ResizeKernels.h - What resizing and sampling share -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Resize and Upsample resample one axis after another: a kernel determines the
// new length of each axis and the coordinate transformation, and resize()
// computes the result.
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

/// An axis whose length changes.
struct ResizedAxis {
  int64_t axis;
  int64_t original, resized;
  /// The length before it was rounded to `resized` is width / parts;
  /// coordinates are scaled by its ratio to `original`. The ratio is stored as
  /// two numbers, so that coordinates are rounded once, and are whole numbers
  /// where they are whole in exact arithmetic.
  double width, parts = 1;
  double start = 0, end = 1; // region of interest
};

using ResizedAxes = llvm::SmallVector<ResizedAxis, 4>;

/// The axes of x in `axes` (null: all), in order, each scaled by its factor in
/// `scales` and rounded down; a reason where rounding in f32 gives another length.
ReasonOr<ResizedAxes> scaledAxes(FoldContext &cx, const Elements &x,
                                 ShapeRef axes, llvm::ArrayRef<float> scales);

/// x resized. Mode Nearest moves elements of any type. Other modes compute
/// numbers in double: floats and complex numbers are rounded once, integers to
/// the nearest (half to even), with saturation; infinities and NaN are kept.
FoldResult resize(FoldContext &cx, const Elements &x,
                  const ResizeOptions &options,
                  llvm::ArrayRef<ResizedAxis> axes);

/// f(x) computed in f64 and rounded once. As f is linear, it is applied to the
/// real and the imaginary parts of complex numbers. For integers the result is
/// f64, and the caller rounds it. The result is null for other types.
Elements linearInDouble(const Elements &x,
                        llvm::function_ref<Elements(const Elements &)> f);

/// The numbers (f64), of which those that differ from a multiple of 1/2 by the
/// rounding of weights only are replaced by that multiple, so that any rule may
/// round them to integers.
Elements withoutNoise(const Elements &wide);

/// A tensor of no elements. REQUIRES: a dimension of 0.
Elements emptyTensor(DataType type, ShapeRef shape);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_RESIZEKERNELS_H
