//===- Bitwise.h - What kernels on the bits of integers share ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_BITWISE_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_BITWISE_H

#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

namespace onnxfold {

/// f(a, b) on integers of 8 to 64 bits; null for other types. REQUIRES: x and y
/// have one element type and broadcast together.
template <class F>
Elements zipIntegers(const Elements &x, const Elements &y, F f) {
  Elements result;
  visitInteger(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = ops::zipAs<T, T, T>(x, y, f);
  });
  return result;
}

/// A function of two integers.
template <class F> FoldResult foldBitwise(FoldContext &cx, F f) {
  return foldBinary(cx, [f](const Elements &x, const Elements &y) {
    return zipIntegers(x, y, f);
  });
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_BITWISE_H
