//===- ConvolutionKernels.h - What convolution kernels share ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_CONVOLUTIONKERNELS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_CONVOLUTIONKERNELS_H

#include "onnxfold/onnx/kernels/support/Windows.h"

namespace onnxfold {

/// A convolution of x and w whose operands were checked, with the shape of its
/// result.
struct ConvolutionPlan {
  ops::SlidingWindows windows;
  int64_t groups = 1;
  Shape shape;

  int64_t filters() const { return shape[1]; }
};

/// Plans Conv and its quantised forms: x [N, C, ...], w [M, C / group, ...];
/// `type` is that of the result. A reason if the operands or attributes do not
/// fit.
ReasonOr<ConvolutionPlan> planConvolution(FoldContext &cx, const Elements &x,
                                          const Elements &w, DataType type);

/// Plans ConvTranspose: w [C, M / group, ...].
ReasonOr<ConvolutionPlan> planTransposed(FoldContext &cx, const Elements &x,
                                         const Elements &w);

/// A reason if the bias (an optional input) is not a vector with one element
/// for each filter.
Reason checkBias(FoldContext &cx, unsigned input, const ConvolutionPlan &plan);

/// y plus a bias for each filter (null: none), in double.
Elements addBias(const Elements &y, const Elements &bias);

/// A vector with one element for each index of `axis` of a tensor of that rank,
/// to be broadcast against it; a single element is returned as it is.
Elements alongAxis(const Elements &vector, int64_t axis, int64_t rank);

/// x - zero as f64, exact for integers of 32 bits and less; zero broadcasts.
Elements centred(const Elements &x, const Elements &zero);

/// Whole numbers in f64, converted to i32 with wrap-around.
Elements wrapped(const Elements &wide);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_CONVOLUTIONKERNELS_H
