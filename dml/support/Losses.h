//===- Losses.h - The negative log-likelihood in DML ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_LOSSES_H
#define ONNXFOLD_DML_SUPPORT_LOSSES_H

#include "onnxfold/dml/support/Movement.h"

namespace onnxfold::dml {

/// Input 0, [N, C, ...], with the classes as columns: [N, ..., C].
Lowered classesLast(LoweringContext &cx, Moved &rows);

/// Result 0 of NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: `logs`
/// are the logarithms of probabilities, one row for each target of input 1.
Lowered defineLoss(LoweringContext &cx, const View &logs);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_LOSSES_H
