//===- Pooling.h - Sums and maxima of sliding windows -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parts of pooling operators. The first two dimensions of a tensor are
// batch and channel; windows slide over the others.
//
//   Elements y = zip(windowSums(x, w), windowCounts(w, false), divide);
//   Elements i = windowMaxima(x, w);
//   Elements m = gather(x.reshape({x.size()}), i, 0);
//
// Sums are computed in double, in a tree that depends on the kernel's shape
// alone (runs of eight taps, combined pairwise). Results are deferred and
// computed by blocks of positions; each thread takes the memory of one image as
// double beyond x and the result. The rounded values of wide tensors are read;
// inWide keeps them wide.
// Thread safety: pure functions. REQUIRES: x has a numeric type, and two
// dimensions before those of the windows' image (SlidingWindows.h).
// The functions return null if double does not hold the type of x: they take
// floats up to f64, and integers up to 32 bits.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_POOLING_H
#define ONNXFOLD_ELEMENTS_NN_POOLING_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/nn/SlidingWindows.h"

namespace onnxfold::ops {

/// The sum of the elements that each window meets, as f64 [batch, channel,
/// positions...]. Padding counts as 0.
Elements windowSums(const Elements &x, const SlidingWindows &windows);

/// The number of elements that each window meets, as f64 [positions...]. With
/// `withPads` it includes padding.
Elements windowCounts(const SlidingWindows &windows, bool withPads);

/// The row-major number in x of the largest element that each window meets, as
/// i64 [batch, channel, positions...]. NaN counts as the largest. Of equal
/// elements, or several NaNs, it is the first one.
/// REQUIRES: no window is empty.
Elements windowMaxima(const Elements &x, const SlidingWindows &windows);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_POOLING_H
