//===- Reduction.h - Kernels that reduce over axes --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_REDUCTION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_REDUCTION_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"

namespace onnxfold {

/// Folds the Reduce operators. Axes are an attribute before version
/// `inputSince`, and an input from then on; no list or an empty one means all
/// axes, unless `noop_with_empty_axes` is set: then only the elementwise part
/// of the operator is applied.
FoldResult foldReduction(FoldContext &cx, ops::Reduction kind,
                         int inputSince = 18);

/// Folds ArgMax (`largest`) and ArgMin.
FoldResult foldArgReduction(FoldContext &cx, bool largest);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_REDUCTION_H
