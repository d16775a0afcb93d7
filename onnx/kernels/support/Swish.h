//===- Swish.h - x * sigmoid(alpha * x) -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SWISH_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SWISH_H

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"

namespace onnxfold {

/// x * sigmoid(alpha * x) of f64, by exactly this formula: the result for -inf
/// is NaN.
inline Elements swish(const Elements &x, double alpha) {
  Elements scaled =
      ops::mapAs<double, double>(x, [alpha](double v) { return alpha * v; });
  return ops::zipAs<double, double, double>(
      x, ops::mapWide(scaled, ops::wide::sigmoid),
      [](double v, double s) { return v * s; });
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SWISH_H
