//===- NegativeLogLikelihoodLoss.cpp - Lowering of onnx.NegativeLogLikelihoodLoss ===//
// SPDX-License-Identifier: Apache-2.0
//
// The targets pick from rows of classes; weighted, summed up or averaged.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Losses.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerNegativeLogLikelihoodLoss(LoweringContext &cx) {
  Moved logs;
  if (Lowered wrong = classesLast(cx, logs); !wrong.isDone())
    return wrong;
  return defineLoss(cx, cx.local("rows", logs.view));
}

namespace onnxfold::dml {
void registerNegativeLogLikelihoodLossLowering(LoweringRegistry &registry) {
  registry.add("NegativeLogLikelihoodLoss", {12, 13, 22},
               lowerNegativeLogLikelihoodLoss);
}
} // namespace onnxfold::dml
