//===- NegativeLogLikelihoodLoss.cpp - Kernel of the operator -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Minus the log-probability of the class that each target tells, weighted,
// and summed up or averaged (support/Losses.h). Spec: onnx
// NegativeLogLikelihoodLoss, versions 12, 13, 22 (bfloat16).
// Direct, more accurate than the body: in double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Losses.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;

static FoldResult foldNegativeLogLikelihoodLoss(FoldContext &cx) {
  if (Reason wrong = checkClasses(cx))
    return wrong;
  FoldResult loss = negativeLogLikelihood(cx, unroundedInput(cx, 0));
  return loss ? roundedResult(cx, loss.values()[0].tensor) : loss;
}

namespace onnxfold {
void registerNegativeLogLikelihoodLoss(KernelRegistry &registry) {
  registry
      .add("NegativeLogLikelihoodLoss", {12, 13, 22},
           foldNegativeLogLikelihoodLoss)
      .costs(unitsOfReading);
}
} // namespace onnxfold
