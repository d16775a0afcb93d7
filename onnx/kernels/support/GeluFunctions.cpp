//===- GeluFunctions.cpp - Gelu of doubles --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/GeluFunctions.h"
#include "onnxfold/elements/ops/Math.h"
#include <algorithm>
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Values that are worked on at a time.
static constexpr size_t geluPiece = 256;

/// Calls f(x, n) for pieces of the values and a place for n more doubles.
template <class F>
static void forGeluPieces(double *values, size_t count, F f) {
  double scratch[geluPiece];
  for (size_t first = 0; first < count; first += geluPiece)
    f(values + first, scratch, std::min(geluPiece, count - first));
}

/// The upper half of the bits, so that products of halves are exact.
static double upperHalf(double v) {
  double scaled = v * 0x1.0000002p27;
  return scaled - (scaled - v);
}

void onnxfold::gelu(double *values, size_t count) {
  forGeluPieces(values, count, [](double *x, double *tail, size_t n) {
    // -x / sqrt(2), rounded, and by how much it is too small: erfc magnifies
    // errors of its argument z by 2 * z^2.
    constexpr double high = 0x1.6a09e6p-1, low = 0x1.9fcef32422cbfp-27;
    double z[geluPiece], density[geluPiece];
    for (size_t i = 0; i < n; ++i) {
      double a = upperHalf(x[i]), b = x[i] - a;
      z[i] = -(x[i] * (high + low));
      tail[i] = -(((a * high + z[i]) + b * high) + x[i] * low);
      density[i] = -(z[i] * z[i]);
    }
    wide::erfc(z, n);
    wide::exp(density, n);
    constexpr double slope = 0x1.20dd750429b6dp+0; // 2 / sqrt(pi)
    for (size_t i = 0; i < n; ++i) {
      // Beyond the reach of the splitting nothing is left to correct.
      double correction =
          std::fabs(x[i]) < 0x1p20 ? slope * density[i] * tail[i] : 0.0;
      x[i] = 0.5 * x[i] * (z[i] - correction);
    }
  });
}

void onnxfold::geluByTanh(double *values, size_t count) {
  forGeluPieces(values, count, [](double *x, double *s, size_t n) {
    constexpr double twice = 0x1.9884533d43651p+0; // 2 * sqrt(2 / pi)
    for (size_t i = 0; i < n; ++i)
      s[i] = twice * (x[i] + 0.044715 * (x[i] * x[i] * x[i]));
    wide::sigmoid(s, n);
    for (size_t i = 0; i < n; ++i)
      x[i] *= s[i];
  });
}
