//===- IntegerProducts.h - Products of quantised matrices -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common functions of QGemm, MatMulIntegerToFloat and
// DynamicQuantizeMatMul. Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_INTEGERPRODUCTS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_INTEGERPRODUCTS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// (a - zeroA) * (b - zeroB) of 8-bit integers, wrapped to i32, as f64. A null
/// zero point is 0; that of b may be a vector with one element for each column.
ReasonOr<Elements> integerProduct(FoldContext &cx, const Elements &a,
                                  const Elements &b, const Elements &zeroA,
                                  const Elements &zeroB);

/// Whether x has one element, or is a vector with one for each column of
/// `shape`.
bool broadcastsToColumns(const Elements &x, ShapeRef shape);

/// The numbers of the inputs that are operands of a scaled product; 0: there is
/// none.
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
