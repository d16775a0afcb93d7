//===- GeluFunctions.h - Gelu of doubles ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that change a block of doubles in place, for mapWide. They use
// formulas without cancellation below 0:
//   1 + erf(z) = erfc(-z)     (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 * u))
// The error of gelu is at most 3 ulp, that of geluByTanh about |u| ulp. The
// result for -inf is NaN. Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_GELUFUNCTIONS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_GELUFUNCTIONS_H

#include <cstddef>

namespace onnxfold {

/// 0.5 * x * (1 + erf(x / sqrt(2)))
void gelu(double *values, size_t count);

/// 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
void geluByTanh(double *values, size_t count);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_GELUFUNCTIONS_H
