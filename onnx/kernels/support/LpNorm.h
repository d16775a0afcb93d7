//===- LpNorm.h - Powers and roots of Lp pooling ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_LPNORM_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_LPNORM_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// Attribute `p` of LpPool and GlobalLpPool (2 if it is left out): the parts of
/// (sum |x|^p)^(1/p), in double.
struct LpNorm {
  /// |x|^p, as f64.
  Elements power(const Elements &x) const;
  /// sums^(1/p). REQUIRES: f64.
  Elements root(const Elements &sums) const;

  double p = 2;
};
ReasonOr<LpNorm> readLpNorm(FoldContext &cx);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_LPNORM_H
