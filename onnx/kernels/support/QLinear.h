//===- QLinear.h - Operators on quantised tensors ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The QLinear operators of com.microsoft have 8-bit tensors, each followed by
// its scale (f32) and its zero point. A kernel dequantises the operands,
// computes in double, and quantises the result once:
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
/// `first` + 2 (zero point, optional).
ReasonOr<Elements> dequantizedInput(FoldContext &cx, unsigned first);

/// y (f64) quantised by input `scale` and the zero point after it. The result
/// has the type of the zero point, or `type` if that is left out.
FoldResult quantizedResult(FoldContext &cx, const Elements &y, unsigned scale,
                           DataType type);

/// Folds a function of one tensor: the inputs are X, its scale and zero point,
/// and the scale and zero point of the result. `f` gets and returns f64, or
/// returns a reason.
FoldResult foldQLinear(FoldContext &cx,
                       llvm::function_ref<FoldResult(const Elements &x)> f);

/// Folds a function of two tensors that broadcast: the inputs are those of A,
/// of B, and of the result.
FoldResult foldQLinearBinary(FoldContext &cx, double (*f)(double, double));

/// Folds pooling by a standard operator, with attribute `channels_last`.
FoldResult foldQLinearPool(FoldContext &cx, llvm::StringRef op, int version);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_QLINEAR_H
