//===- SkipNormalization.h - Normalised sums --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// Folds SkipLayerNormalization (`isCentred`; inputs input, skip, gamma, beta,
/// bias) and SkipSimplifiedLayerNormalization (inputs input, skip, gamma,
/// bias). Result #0 is the normalised sum, result #3 the sum; the operation is
/// not folded if result #1 (mean) or #2 (inverse deviation) has users.
/// REQUIRES: floats of one type.
FoldResult skipNormalization(FoldContext &cx, bool isCentred);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H
