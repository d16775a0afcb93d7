//===- RoundedResults.h - Results that are computed in double ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_ROUNDEDRESULTS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_ROUNDEDRESULTS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// For operators with several results, each of which is rounded once: `values`
/// (f64) rounded to the float type `type`; the result is wide
/// (Elements::widened) if an input of the operation is. The caller computes
/// `values` from input(i).unrounded(). For a single result see roundedOnce.
Elements rounded(FoldContext &cx, const Elements &values, DataType type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_ROUNDEDRESULTS_H
