//===- ScanKernels.h - Running sums and products ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SCANKERNELS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SCANKERNELS_H

#include "onnxfold/onnx/kernels/support/Axes.h"

namespace onnxfold {

/// Folds CumSum and CumProd: applies `scan` along the axis in input #1, with
/// the attributes `exclusive` and `reverse`.
template <class Scan> FoldResult foldScan(FoldContext &cx, Scan scan) {
  const Elements &x = cx.input(0);
  if (Reason several = checkOneElement(cx, 1))
    return several;
  ReasonOr<Shape> axis = normalizedAxes(cx.intsOf(1), x.rank());
  if (!axis)
    return axis.reason();
  bool exclusive = cx.integer("exclusive").value_or(0) != 0;
  bool reverse = cx.integer("reverse").value_or(0) != 0;
  return scan(x, axis->front(), exclusive, reverse);
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SCANKERNELS_H
