//===- IntegerProducts.h - Products of quantised matrices -------*- C++ -*-===//
//
// What QGemm, MatMulIntegerToFloat and DynamicQuantizeMatMul share. Thread
// safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_INTEGERPRODUCTS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_INTEGERPRODUCTS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// (a - zeroA) * (b - zeroB) of 8-bit integers, wrapped to i32, as f64. Null
/// zero points are 0; that of b may be a vector of its columns.
ReasonOr<Elements> integerProduct(FoldContext &cx, const Elements &a,
                                  const Elements &b, const Elements &zeroA,
                                  const Elements &zeroB);

/// One element, or a vector with one for each column.
bool broadcastsToColumns(const Elements &x, ShapeRef shape);

/// Where the operands of a scaled product are; 0: there is none.
struct ScaledProduct {
  unsigned b, scaleB, zeroA = 0, zeroB = 0, bias = 0;
  Elements knownZeroA = {}; // instead of an input
};

/// integerProduct * scaleA * scaleB + bias, rounded once to `type`.
FoldResult scaledIntegerProduct(FoldContext &cx, const Elements &a,
                                const Elements &scaleA,
                                const ScaledProduct &inputs, DataType type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_INTEGERPRODUCTS_H
