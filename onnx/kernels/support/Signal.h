//===- Signal.h - What signal kernels share ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SIGNAL_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SIGNAL_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/nn/Fourier.h"

namespace onnxfold {

/// The value of an input that is one integer, or a reason.
ReasonOr<int64_t> integerInput(FoldContext &cx, unsigned input);

/// Attribute `output_datatype` (f32 if it is left out), or a reason if it is no
/// integer or float of 8 to 64 bits.
ReasonOr<DataType> outputType(FoldContext &cx);

/// A tensor whose elements `fill` computes as doubles, for [first, first +
/// count), rounded once to a float type or truncated to an integer type. The
/// computation is deferred; several threads call `fill`.
using DoublesMaker =
    std::function<void(int64_t first, int64_t count, double *out)>;
Elements madeInDouble(DataType type, ShapeRef shape, DoublesMaker fill);

/// A reason if x is not a signal of at least that rank, whose last dimension
/// holds real and imaginary parts, or real parts only, as a transform of half a
/// spectrum requires.
Reason checkSignal(const Elements &x, int64_t leastRank,
                   const ops::FourierTransform &transform);

/// A reason if the length of the transform is invalid, or if a transform of
/// that many rows exceeds the limits.
Reason checkTransform(FoldContext &cx, DataType type, int64_t rows,
                      const ops::FourierTransform &transform);

/// A window of `size` (input #0) elements, constant + linear * s + square * s^2
/// with s = sin^2(pi * k / N). All sums of two cosines are such polynomials,
/// which have no cancellation at the ends of the window. N is the size, or one
/// less if the window is not `periodic`.
FoldResult foldCosineWindow(FoldContext &cx, double constant, double linear,
                            double square);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SIGNAL_H
