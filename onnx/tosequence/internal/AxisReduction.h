//===- AxisReduction.h - Reductions along axes as loops ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The loops of reductions, Softmax and BatchNormalization.
//
//   Value mean = reduceAxes(converter, location, x, axes, /*keepsAxes=*/false,
//                           Reduced::Mean);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_AXISREDUCTION_H
#define ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_AXISREDUCTION_H

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "llvm/ADT/BitVector.h"

namespace onnxfold {

enum class Reduced { Sum, Mean, SumSquare, MeanSquare, L1, L2, Max, Min };

/// Reduces the axes in `reduced`, at least one, of a tensor of f32 or f64 (for
/// Sum, Max and Min also of i32 or i64). Sums of floats are computed in double,
/// in an order that LLVM may choose. NaN is propagated; a mean of no elements
/// is NaN.
mlir::Value reduceAxes(ToSequenceConverter &converter, mlir::Location location,
                       mlir::Value input, const llvm::BitVector &reduced,
                       bool keepsAxes, Reduced kind);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_AXISREDUCTION_H
