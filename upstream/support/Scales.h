//===- Scales.h - Powers of two that blocks of numbers share ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Block-scaled formats (OCP MX) keep narrow floats beside a scale, 2^n, for each
// block. Scales are of type f8E8M0FNU, or floats that are powers of two: what
// another float becomes as an f8E8M0FNU is not settled (arith's documentation
// rounds it, MLIR's expansion cuts its mantissa off).
//
//   ReasonOr<Elements> scale = scaleAs(cx.input(1), DataType::Float32);
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_SCALES_H
#define ONNXFOLD_UPSTREAM_SUPPORT_SCALES_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold::upstream {

/// Scales rounded to a float type, NaN as NaN; a reason where one is no power of
/// two from 2^-127 to 2^127, or `type` has no such number.
ReasonOr<Elements> scaleAs(const Elements &scale, DataType type);

/// data * scale in double, which is exact, with one scale for each `blockSize`
/// elements of the last dimension; a reason where the shapes do not fit.
ReasonOr<Elements> timesScales(const Elements &data, const Elements &scale,
                               int64_t blockSize);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_SCALES_H
