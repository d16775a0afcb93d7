//===- DeformableConv.h - Windows whose taps are displaced ------*- C++ -*-===//
//
// What a deformable convolution multiplies its weights with: each tap of each
// position meets the image at its place plus an offset, interpolated linearly
// between the 2^n elements around that point; elements outside of the image
// are 0.
//
//   Elements c = deformableColumns(x, offset, mask, windows, groups);
//   Elements y = matmul(weights, c);
//
// In f64, deferred. Thread safety: a pure function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_DEFORMABLECONV_H
#define ONNXFOLD_ELEMENTS_NN_DEFORMABLECONV_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/nn/SlidingWindows.h"

namespace onnxfold::ops {

/// x [batch, channels, image...]; offset [batch, groups * taps * n,
/// positions...]; mask (null: ones) [batch, groups * taps, positions...]:
/// [batch, channels * taps, positions], each element times its mask.
/// REQUIRES: f64; groups divide channels; x is not empty. An offset that is not
/// finite meets nothing.
Elements deformableColumns(const Elements &x, const Elements &offset,
                           const Elements &mask, const SlidingWindows &windows,
                           int64_t groups);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_DEFORMABLECONV_H
