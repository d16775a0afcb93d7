//===- Pooling.h - Sums and maxima of sliding windows -----------*- C++ -*-===//
//
// What pooling operators are made of. The first two dimensions of a tensor are
// batch and channel; windows slide over the others.
//
//   Elements y = zip(windowSums(x, w), windowCounts(w, false), divide);
//   Elements i = windowMaxima(x, w);
//   Elements m = gather(x.reshape({x.size()}), i, 0);
//
// Sums are computed in double, in a tree that the kernel's shape fixes (runs of
// eight taps, combined pairwise). Results are deferred, and made a block of
// positions at a time: beyond x and the result, memory is that of one image as
// double a thread. Wide tensors are read rounded: give them by inWide.
// Thread safety: pure functions. REQUIRES: x has two dimensions more than the
// windows, which fit it (SlidingWindows.h), and a numeric type.
// Null if x has no type that double holds (floats up to f64, integers up to 32
// bits).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_POOLING_H
#define ONNXFOLD_ELEMENTS_NN_POOLING_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/nn/SlidingWindows.h"

namespace onnxfold::ops {

/// The sum of the elements that each window meets, as f64: [batch, channel,
/// positions...]. Padding counts as 0.
Elements windowSums(const Elements &x, const SlidingWindows &windows);

/// How many elements each window meets (withPads: padding included), as f64:
/// [positions...].
Elements windowCounts(const SlidingWindows &windows, bool withPads);

/// The row-major number in x of the largest element that each window meets, as
/// i64: [batch, channel, positions...]. The first one of equal elements and of
/// NaN, which counts as the largest. REQUIRES: no window is empty.
Elements windowMaxima(const Elements &x, const SlidingWindows &windows);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_POOLING_H
