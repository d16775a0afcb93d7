//===- QLinear.h - Operators on quantised tensors ---------------*- C++ -*-===//
//
// The QLinear operators of com.microsoft: 8-bit tensors, each followed by its
// scale (f32) and its zero point. They are the operator on the numbers that the
// tensors stand for, in double, quantised once:
//
//   ReasonOr<Elements> x = dequantizedInput(cx, 0);
//   ...
//   return quantizedResult(cx, y, 3);
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_QLINEAR_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_QLINEAR_H

#include "onnxfold/onnx/kernels/support/Contributed.h"

namespace onnxfold {

/// (x - zero) * scale in f64, of inputs `first` (x), `first` + 1 (scale) and
/// `first` + 2 (zero point, may be left out).
ReasonOr<Elements> dequantizedInput(FoldContext &cx, unsigned first);

/// y (f64) quantised by input `scale` and the zero point behind it, of the type
/// of the zero point, or `type` if that is left out.
FoldResult quantizedResult(FoldContext &cx, const Elements &y, unsigned scale,
                           DataType type);

/// A function of one tensor: inputs X, scale, zero point, scale and zero point
/// of the result. `f`: of f64, or a reason.
FoldResult foldQLinear(FoldContext &cx,
                       llvm::function_ref<FoldResult(const Elements &x)> f);

/// A function of two that broadcast: the inputs of A, of B, and of the result.
FoldResult foldQLinearBinary(FoldContext &cx, double (*f)(double, double));

/// Pooling by an operator of the standard, with attribute `channels_last`.
FoldResult foldQLinearPool(FoldContext &cx, llvm::StringRef op, int version);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_QLINEAR_H
