//===- Convolution.h - Convolutions of doubles ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Convolution (cross-correlation, as in neural networks) and its transpose, for
// any number of spatial dimensions and groups, on f64. Callers cast other types
// to f64, and round the result once. Integers below 2^53 are exact.
//
//   Elements y = convolve(x, w, windows, /*groups=*/1);
//   Elements x2 = convolveTransposed(y, w, windows, 1);
//
// Eigen multiplies blocks that are gathered (im2col) or scattered (col2im) in
// the cache; the shapes alone determine the order of every sum. Results are
// deferred. Each thread takes a few megabytes beyond operands and result.
// Thread safety: pure functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_CONVOLUTION_H
#define ONNXFOLD_ELEMENTS_NN_CONVOLUTION_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/nn/SlidingWindows.h"

namespace onnxfold::ops {

/// The convolution of x [batch, channels, image...] with w [filters, channels /
/// groups, kernel...], of shape [batch, filters, positions...]. Padding is 0.
/// REQUIRES: f64; `groups` divides channels and filters; image and kernel of
/// the windows are those of x and w.
Elements convolve(const Elements &x, const Elements &w,
                  const SlidingWindows &windows, int64_t groups);

/// The transposed convolution of x [batch, channels, positions...] with w
/// [channels, filters / groups, kernel...], of shape [batch, filters,
/// image...]: the kernel times each element of x is added to the image at the
/// window's position. REQUIRES: as convolve.
Elements convolveTransposed(const Elements &x, const Elements &w,
                            const SlidingWindows &windows, int64_t groups);

/// ONNX Col2Im: adds the elements of x [batch, channels * taps, positions] to
/// those elements of the image [batch, channels, image...] that their windows
/// meet. Floats and complex numbers are added in double and rounded once,
/// integers of 8 to 64 bits wrap, and bools are combined by "or". Returns null
/// for other types. REQUIRES: taps and positions of the windows are those of x.
Elements sumOverlaps(const Elements &x, const SlidingWindows &windows);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_CONVOLUTION_H
