//===- DeformableConv.h - Windows whose taps are displaced ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The matrix that a deformable convolution multiplies its weights with. Each
// tap of each position reads the image at its place plus an offset: the value
// there is interpolated linearly between the 2^n elements around that point.
// Elements outside of the image are 0.
//
//   Elements c = deformableColumns(x, offset, mask, windows, groups);
//   Elements y = matmul(weights, c);
//
// The result is f64, and deferred. Thread safety: a pure function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_DEFORMABLECONV_H
#define ONNXFOLD_ELEMENTS_NN_DEFORMABLECONV_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/nn/SlidingWindows.h"

namespace onnxfold::ops {

/// The operands are x [batch, channels, image...], offset [batch, groups * taps
/// * n, positions...], and mask [batch, groups * taps, positions...], which may
/// be null (all 1). The result [batch, channels * taps, positions] has each
/// interpolated value, which is 0 if an offset is not finite, times its mask.
/// REQUIRES: f64; `groups` divides channels; x is not empty.
Elements deformableColumns(const Elements &x, const Elements &offset,
                           const Elements &mask, const SlidingWindows &windows,
                           int64_t groups);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_DEFORMABLECONV_H
