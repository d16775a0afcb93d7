//===- LossFunctions.cpp - Lowerings of losses ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// See support/Losses.h.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Losses.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// The targets pick from rows of classes; weighted, summed up or averaged.
static Lowered lowerNegativeLogLikelihoodLoss(LoweringContext &cx) {
  Moved logs;
  if (Lowered wrong = classesLast(cx, logs); !wrong.isDone())
    return wrong;
  return defineLoss(cx, cx.local("rows", logs.view));
}

/// The logarithm of softmax along the classes, and the loss of that.
static Lowered lowerSoftmaxCrossEntropyLoss(LoweringContext &cx) {
  Moved scores;
  if (Lowered wrong = classesLast(cx, scores); !wrong.isDone())
    return wrong;
  View &rows = scores.view;
  Expr x = cx.local("rows", rows.expr);
  Expr d = cx.local("below_largest", x - call("rowMaxs", {x}));
  Expr total = call("rowSums", {call("exp", {d})});
  rows =
      cx.local("logs", View{d - call("log", {total}), rows.rows, rows.columns});
  if (cx.isUsed(1)) {
    Shape back{0, int64_t(scores.dims.size()) - 1};
    for (int64_t i = 1; i + 1 < int64_t(scores.dims.size()); ++i)
      back.push_back(i);
    cx.define(1, transposed(cx, rows, scores.dims, back).view);
  }
  return defineLoss(cx, rows);
}

namespace onnxfold::dml {
void registerLossFunctionsLowering(LoweringRegistry &registry) {
  registry.add("NegativeLogLikelihoodLoss", {12, 13, 22},
               lowerNegativeLogLikelihoodLoss);
  registry.add("SoftmaxCrossEntropyLoss", {12, 13},
               lowerSoftmaxCrossEntropyLoss);
}
} // namespace onnxfold::dml
