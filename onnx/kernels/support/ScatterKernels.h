//===- ScatterKernels.h - What kernels of Scatter share ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SCATTERKERNELS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SCATTERKERNELS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// A copy of input #0 with input #2 written at the indices of input #1 along
/// attribute `axis`, combined as attribute `reduction` says (from version 16).
FoldResult foldScatterElements(FoldContext &cx);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SCATTERKERNELS_H
