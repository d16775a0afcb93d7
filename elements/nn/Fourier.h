//===- Fourier.h - Discrete Fourier transforms ------------------*- C++ -*-===//
//
//   y[k] = sum over j of x[j] * exp(-2 pi i j k / length)
//
// and the inverse, with the opposite sign and divided by the length:
//
//   // x: f32 [rows, n, 1 or 2]; the last dimension holds real and imaginary
//   // parts, or real ones alone.
//   Elements y = fourier(x, {.length = n});                  // [rows, n, 2]
//   Elements half = fourier(x, {.length = n, .half = true}); // n / 2 + 1 bins
//
// In double, rounded once to the float type of x: f16, bf16, f32 or f64. The
// error of a row, relative to its root mean square, grows with the logarithm of
// the length and is below 1e-14 up to a length of 2^20. Any length takes
// O(length * log(length)); those that have no prime factors beyond 5 are about
// six times as fast. The bits are the same on every machine and with any number
// of threads.
// A row with an infinity or a NaN is NaN throughout.
//
// Deferred, as Elements.h has it. Thread safety: pure functions. REQUIRES
// clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_FOURIER_H
#define ONNXFOLD_ELEMENTS_NN_FOURIER_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

struct FourierTransform {
  int64_t length = 0; // at least 1, at most maxLength
  bool inverse = false;
  /// Of a spectrum that is symmetric because the signal is real, the first
  /// length / 2 + 1 bins only: forward they are the result; inverse they are x,
  /// and the result is the real signal.
  bool half = false;

  static constexpr int64_t maxLength = int64_t(1) << 28;

  /// How many results a row has.
  int64_t bins() const { return half && !inverse ? length / 2 + 1 : length; }
  /// 1 if the results are real numbers, 2 if they are complex.
  int64_t parts() const { return half && inverse ? 1 : 2; }
  /// Bytes of memory for each thread while it works.
  uint64_t memory() const;
  /// About how many operations a row takes.
  double work() const;
};

/// The transform of each row of x [rows, n, 1 or 2]: [rows, bins, parts]. Rows
/// are cut or filled up with zeros to `length` (to length / 2 + 1 where x is
/// half a spectrum). Null if x is no f16, bf16, f32 or f64.
Elements fourier(const Elements &x, const FourierTransform &transform);

/// The transform of frames of `length` that begin `step` apart, as many as fit,
/// each multiplied by `window` [length] (null: as it is): signal [batch, n, 1
/// or 2] gives [batch, frames, bins, parts].
/// REQUIRES: step > 0, 0 < length <= n; the window has the signal's type.
Elements fourierOfFrames(const Elements &signal, const Elements &window,
                         int64_t step, const FourierTransform &transform);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_FOURIER_H
