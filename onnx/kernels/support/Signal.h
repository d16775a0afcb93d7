//===- Signal.h - What signal kernels share ---------------------*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SIGNAL_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SIGNAL_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/nn/Fourier.h"

namespace onnxfold {

/// An input that is one integer.
ReasonOr<int64_t> integerInput(FoldContext &cx, unsigned input);

/// Attribute `output_datatype` (f32 if it is left out), or a reason if it is no
/// integer or float of 8 to 64 bits.
ReasonOr<DataType> outputType(FoldContext &cx);

/// The elements that `fill` writes as doubles, [first, first + count), rounded
/// once (or cut off) to a numeric type. Deferred; `fill` is called from several
/// threads.
using DoublesMaker =
    std::function<void(int64_t first, int64_t count, double *out)>;
Elements madeInDouble(DataType type, ShapeRef shape, DoublesMaker fill);

/// A reason if x is no signal of at least that rank, whose last dimension holds
/// real and imaginary parts, or real ones alone; or not the one of them that
/// half a spectrum asks for.
Reason checkSignal(const Elements &x, int64_t leastRank,
                   const ops::FourierTransform &transform);

/// A reason if a transform of that length and many rows is none, or over the
/// limits.
Reason checkTransform(FoldContext &cx, DataType type, int64_t rows,
                      const ops::FourierTransform &transform);

/// A window of `size` (input #0) elements, constant + linear * s + square * s^2
/// with s = sin^2(pi * k / N). All sums of two cosines are such polynomials,
/// without the cancellation that they have at the ends. N is the size, or one
/// less if the window is not `periodic`.
FoldResult foldCosineWindow(FoldContext &cx, double constant, double linear,
                            double square);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SIGNAL_H
