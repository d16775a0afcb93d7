//===- TosaWindows.h - Convolutions and pooling of tosa ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Images are [batch, spatial dimensions..., channels]. The windows are gathered
// from the padded image into one tensor, with their positions and taps as
// dimensions.
//
//   ReasonOr<Windows> w = windowsOf(cx, x.shape(), {3, 3});
//   Elements y = viewOf(padded(x, *w, zero), *w); // [n, oy, ox, ky, kx, c]
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_TOSAWINDOWS_H
#define ONNXFOLD_UPSTREAM_SUPPORT_TOSAWINDOWS_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold::upstream {

/// The numbers that describe windows, for each spatial dimension.
struct Windows {
  Shape kernel, strides, dilations, begins, ends, positions;
};

/// The windows by the attributes 'pad', 'stride' and 'dilation' (1 if it is
/// missing); a reason if these are wrong, or no window fits. `image` includes
/// batch and channels.
ReasonOr<Windows> windowsOf(FoldContext &cx, ShapeRef image, ShapeRef kernel);

/// x with `fill` around it.
Elements padded(const Elements &x, const Windows &windows,
                const Elements &fill);

/// [batch, positions..., taps..., channels] of a padded image.
Elements viewOf(const Elements &x, const Windows &windows);

/// The type in which products of integers are summed exactly: f64 if it is
/// exact, because it is faster, else i64. For floats it is f64.
DataType typeOfSums(DataType a, DataType b, int64_t count);

/// Folds CONV2D and CONV3D with weights [filters, kernel..., channels], and
/// with `depthwise` [kernel..., channels, multiplier]. The inputs are 0: image,
/// 1: weights, 2: bias, 3 and 4: zero points.
FoldResult foldConvolution(FoldContext &cx, int64_t spatialRank,
                           bool depthwise);

/// Sums plus a bias, as a result of type `type`.
FoldResult withBias(const Elements &sums, const Elements &bias, DataType type);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_TOSAWINDOWS_H
