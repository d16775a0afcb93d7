//===- SkipNormalization.h - Normalised sums --------------------*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// SkipLayerNormalization (centred: inputs input, skip, gamma, beta, bias) and
/// SkipSimplifiedLayerNormalization (input, skip, gamma, bias); results are the
/// normalised sum, mean, deviation, and the sum. REQUIRES: floats of one type.
FoldResult skipNormalization(FoldContext &cx, bool isCentred);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SKIPNORMALIZATION_H
