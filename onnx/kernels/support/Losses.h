//===- Losses.h - The negative log-likelihood -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_LOSSES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_LOSSES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// The loss (f64) of log-probabilities [N, C, ...] (f64), or the reason why
/// there is none. Input #1 has the class of each of [N, ...]: the loss is minus
/// its log-probability, times its weight (input #2, may be left out), and 0
/// where the class is attribute `ignore_index`. Attribute `reduction`: none,
/// sum, mean (by default; over the sum of the weights that were used). Inputs
/// #1 and #2 are checked. REQUIRES: `logs` have rank 2 or more.
FoldResult negativeLogLikelihood(FoldContext &cx, const Elements &logs);

/// A reason if input #0 does not have a batch and classes.
Reason checkClasses(FoldContext &cx);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_LOSSES_H
