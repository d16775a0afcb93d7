//===- Movement.h - Elements in other places --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What several kernels do with shapes. Arguments were checked, or are checked
// here: a reason says what is wrong.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_SUPPORT_MOVEMENT_H
#define ONNXFOLD_STABLEHLO_SUPPORT_MOVEMENT_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold::hlo {

/// Dimension d of x becomes dimension dims[d] of `shape`, where it has the same
/// size or 1; elements repeat along the others.
FoldResult broadcastIn(const Elements &x, ShapeRef dims, ShapeRef shape);

/// The elements from `starts` up to, but without, `limits`, each steps-th.
FoldResult sliced(const Elements &x, ShapeRef starts, ShapeRef limits,
                  ShapeRef steps);

/// Elements of `fill` (one, of the type of x) at the edges and between elements
/// of x; edges may be negative.
struct Padding {
  Shape low, high, interior;
};
FoldResult padded(FoldContext &cx, const Elements &x, const Elements &fill,
                  const Padding &padding);

/// The number of windows of `window` > 0 elements, which a dilation spreads,
/// along a dimension of `size` elements; 0 if none fits.
int64_t numPositions(int64_t size, int64_t window, int64_t dilation,
                     int64_t stride);

/// The start of a slice: scalars from input number `first` on, clamped so that
/// a slice of `sizes` is inside.
ReasonOr<Shape> clampedStart(FoldContext &cx, unsigned first, ShapeRef shape,
                             ShapeRef sizes);

/// Integers as int64; numbers without a sign that are larger become the
/// largest.
Elements asIndices(const Elements &x);

/// The numbers 0, 1, ... along one dimension of `shape`, where the others have
/// size 1.
Elements counterAlong(int64_t dim, int64_t size, int64_t rank);

/// The row-major numbers of the elements with these indices, one for each
/// dimension of `shape`; they broadcast.
Elements rowMajorNumbers(llvm::ArrayRef<Elements> indices, ShapeRef shape);

} // namespace onnxfold::hlo

#endif // ONNXFOLD_STABLEHLO_SUPPORT_MOVEMENT_H
