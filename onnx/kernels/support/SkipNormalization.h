//===- SkipNormalization.h - Normalised sums --------------------*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// Folds SkipLayerNormalization (`isCentred`; inputs input, skip, gamma, beta,
/// bias) and SkipSimplifiedLayerNormalization (inputs input, skip, gamma,
/// bias). The results are the normalised sum, its mean, its inverse deviation,
/// and the sum. REQUIRES: floats of one type.
FoldResult skipNormalization(FoldContext &cx, bool isCentred);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H
