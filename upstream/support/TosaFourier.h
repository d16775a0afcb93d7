//===- TosaFourier.h - Fourier transforms of images -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The transforms compute in double. Callers cast other types. Thread safety:
// pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_TOSAFOURIER_H
#define ONNXFOLD_UPSTREAM_SUPPORT_TOSAFOURIER_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold::upstream {

/// The two-dimensional transform of x, f64 [n, h, w, 2] with real and imaginary
/// parts, or [n, h, w, 1] of real ones, of which only the first w / 2 + 1
/// columns are returned: [n, h, columns, 2].
Elements transformImages(const Elements &x);

/// A reason if images of this shape are too many or too large.
Reason checkImages(FoldContext &cx, ShapeRef shape);

/// One of the two parts in another type: [n, h, columns].
Elements partOf(const Elements &x, int64_t part, DataType type);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_TOSAFOURIER_H
