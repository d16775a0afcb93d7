//===- Fourier.h - Discrete Fourier transforms ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The discrete Fourier transform of rows, or of frames of a signal:
//
//   y[k] = sum over j of x[j] * exp(-2 pi i j k / length)
//
// The inverse has the opposite sign and is divided by the length.
//
//   // x is f32 [rows, n, 1 or 2]; the last dimension holds real and imaginary
//   // parts, or real parts alone.
//   Elements y = fourier(x, {.length = n});                  // [rows, n, 2]
//   Elements half = fourier(x, {.length = n, .half = true}); // n / 2 + 1 bins
//
// It is computed in double and rounded once to the float type of x: f16, bf16,
// f32 or f64. The error of a row, relative to its root mean square, grows with
// the logarithm of the length and is below 1e-14 up to a length of 2^20. Any
// length takes O(length * log(length)); lengths without prime factors beyond 5
// are about six times as fast. The bits are the same on every machine and with
// any number of threads. A row that has an infinity or a NaN becomes all NaN.
//
// Results are deferred. Thread safety: pure functions. REQUIRES clauses are
// asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_FOURIER_H
#define ONNXFOLD_ELEMENTS_NN_FOURIER_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

struct FourierTransform {
  int64_t length = 0; // at least 1, at most maxLength
  bool inverse = false;
  /// The spectrum of a real signal is symmetric; with `half` only its first
  /// length / 2 + 1 bins are used. A forward transform returns them. An inverse
  /// transform reads them from x and returns the real signal.
  bool half = false;

  static constexpr int64_t maxLength = int64_t(1) << 28;

  /// The number of results in a row.
  int64_t bins() const { return half && !inverse ? length / 2 + 1 : length; }
  /// 1 if the results are real numbers, 2 if they are complex.
  int64_t parts() const { return half && inverse ? 1 : 2; }
  /// The bytes of memory that each thread takes while it works.
  uint64_t memory() const;
  /// The approximate number of operations for one row.
  double work() const;
};

/// The transform of each row of x [rows, n, 1 or 2], of shape [rows, bins,
/// parts]. Rows are cut, or filled up with zeros, to `length` (to length / 2 +
/// 1 where x is half a spectrum). Null unless x is f16, bf16, f32 or f64.
Elements fourier(const Elements &x, const FourierTransform &transform);

/// The transform of frames of `signal` [batch, n, 1 or 2], of shape [batch,
/// frames, bins, parts]. Frames have `length` elements and begin `step` apart,
/// as many as fit. Each is multiplied by `window` [length], unless it is null.
/// REQUIRES: step > 0, 0 < length <= n; the window has the signal's type.
Elements fourierOfFrames(const Elements &signal, const Elements &window,
                         int64_t step, const FourierTransform &transform);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_FOURIER_H
