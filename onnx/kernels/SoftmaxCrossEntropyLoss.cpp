//===- SoftmaxCrossEntropyLoss.cpp - Kernel of the operator ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The negative log-likelihood (support/Losses.h) of log(softmax(scores)), which
// are the second result. Spec: onnx SoftmaxCrossEntropyLoss, versions 12, 13
// (bfloat16).
// Direct, more accurate than the body: in double, each result rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Losses.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSoftmaxCrossEntropyLoss(FoldContext &cx) {
  if (Reason wrong = checkClasses(cx))
    return wrong;
  Elements logs = logSoftmax(unroundedInput(cx, 0), 1);
  FoldResult loss = negativeLogLikelihood(cx, logs);
  if (!loss)
    return loss;
  return llvm::SmallVector<Elements, 1>{
      roundedResult(cx, loss.values()[0].tensor),
      cx.needsResult(1) ? roundedResult(cx, logs) : Elements()};
}

namespace onnxfold {
void registerSoftmaxCrossEntropyLoss(KernelRegistry &registry) {
  registry.add("SoftmaxCrossEntropyLoss", {12, 13}, foldSoftmaxCrossEntropyLoss)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
