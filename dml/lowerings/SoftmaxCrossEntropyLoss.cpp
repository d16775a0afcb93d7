//===- SoftmaxCrossEntropyLoss.cpp - Lowering of onnx.SoftmaxCrossEntropyLoss ===//
// SPDX-License-Identifier: Apache-2.0
//
// The logarithm of softmax along the classes, and the loss of that.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Losses.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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
void registerSoftmaxCrossEntropyLossLowering(LoweringRegistry &registry) {
  registry.add("SoftmaxCrossEntropyLoss", {12, 13},
               lowerSoftmaxCrossEntropyLoss);
}
} // namespace onnxfold::dml
