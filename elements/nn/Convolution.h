//===- Convolution.h - Convolutions of doubles ------------------*- C++ -*-===//
//
// Convolution (cross-correlation, as neural networks have it) and its
// transpose, for any number of spatial dimensions and groups, on f64: who has
// another type casts, and rounds the result once. Integers below 2^53 are
// exact.
//
//   Elements y = convolve(x, w, windows, /*groups=*/1);
//   Elements x2 = convolveTransposed(y, w, windows, 1);
//
// Products are Eigen's, of blocks that are brought together (im2col) or spread
// (col2im) in the cache; the order of every sum is fixed by the shapes. Results
// are deferred. Memory beyond operands and result: a few megabytes a thread.
// Thread safety: pure functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_CONVOLUTION_H
#define ONNXFOLD_ELEMENTS_NN_CONVOLUTION_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/nn/SlidingWindows.h"

namespace onnxfold::ops {

/// x [batch, channels, image...], w [filters, channels / groups, kernel...]:
/// [batch, filters, positions...]. Padding is 0. REQUIRES: f64; groups divide
/// channels and filters; the windows fit.
Elements convolve(const Elements &x, const Elements &w,
                  const SlidingWindows &windows, int64_t groups);

/// x [batch, channels, positions...], w [channels, filters / groups,
/// kernel...]: [batch, filters, image...], each element of x times the kernel,
/// added where the window stands. REQUIRES: as convolve.
Elements convolveTransposed(const Elements &x, const Elements &w,
                            const SlidingWindows &windows, int64_t groups);

/// ONNX Col2Im: x [batch, channels * taps, positions] to [batch, channels,
/// image...], the sum of all that windows bring to an element. Floats and
/// complex numbers in double, rounded once; integers of 8 to 64 bits wrap;
/// bools are or-ed. Null for other types. REQUIRES: the windows fit.
Elements sumOverlaps(const Elements &x, const SlidingWindows &windows);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_CONVOLUTION_H
