//===- AxisReduction.h - Reductions along axes as loops ---------*- C++ -*-===//
//
// What reductions, Softmax and BatchNormalization loop over.
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

/// Reduces the axes that `reduced` has, at least one, of a tensor of f32 or f64
/// (for Sum, Max and Min also of i32 or i64). Sums of floats are in double, in
/// an order that LLVM may choose. NaN is handed on; a mean of nothing is NaN.
mlir::Value reduceAxes(ToSequenceConverter &converter, mlir::Location location,
                       mlir::Value input, const llvm::BitVector &reduced,
                       bool keepsAxes, Reduced kind);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_AXISREDUCTION_H
