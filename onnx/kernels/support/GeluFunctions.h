//===- GeluFunctions.h - Gelu of doubles ------------------------*- C++ -*-===//
//
// Functions of blocks of doubles, in place, for mapWide. By formulas that do
// not cancel below 0:
//   1 + erf(z) = erfc(-z)     (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 * u))
// Within 3 ulp of the exact value, geluByTanh within some |u| ulp. Of -inf NaN.
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
