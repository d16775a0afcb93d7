//===- Reduction.h - Kernels that reduce over axes --------------*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_REDUCTION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_REDUCTION_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"

namespace onnxfold {

/// The Reduce operators. Axes are an attribute, and an input from `inputSince`
/// on; none or an empty list means all, unless `noop_with_empty_axes`: then
/// only the elementwise part of the operator is applied.
FoldResult foldReduction(FoldContext &cx, ops::Reduction kind,
                         int inputSince = 18);

/// ArgMax and ArgMin.
FoldResult foldArgReduction(FoldContext &cx, bool largest);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_REDUCTION_H
