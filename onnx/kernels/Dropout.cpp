//===- Dropout.cpp - Constant kernel of onnx.Dropout ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// In inference the input as it is, and a mask of true. Spec: onnx Dropout,
// versions 1, 6 (is_test), 7, 10 (the mask is bool), 12 (training_mode, an
// input), 13, 22. The mask of versions 7 and 10 is true in the reference
// evaluator and false in ONNX Runtime: kept. What trains is random, and kept,
// unless its ratio is 0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static ReasonOr<double> dropRatioOf(FoldContext &cx) {
  if (!cx.hasInput(1))
    return double(cx.real("ratio").value_or(0.5f));
  if (!cx.input(1) || cx.input(1).type() == DataType::Opaque)
    return notFolded(ReasonCode::InputNotConstant, "its ratio is not known");
  if (Reason several = checkOneElement(cx, 1))
    return several;
  return cx.input(1).reshape({}).unrounded().value<double>();
}

/// Why training has no result: it has one if nothing is dropped.
static Reason whyNotTrained(FoldContext &cx) {
  ReasonOr<double> ratio = dropRatioOf(cx);
  if (ratio && *ratio == 0)
    return {};
  if (!ratio && mustDecide(cx))
    return ratio.reason();
  return notFolded(ReasonCode::NotDeterministic,
                   "is in training mode, where it is random");
}

static FoldResult foldDropout(FoldContext &cx) {
  bool trains = cx.version() < 7 && cx.integer("is_test").value_or(0) == 0;
  if (cx.hasInput(2)) {
    if (Reason several = checkOneElement(cx, 2))
      return several;
    trains = cx.input(2).reshape({}).value<bool>();
  }
  if (trains)
    if (Reason random = whyNotTrained(cx))
      return random;
  const Elements &x = cx.input(0);
  bool hasOldMask = cx.version() == 7 || cx.version() == 10;
  if (hasOldMask && cx.needsResult(1) && !mustDecide(cx))
    return undefined("its mask is read, which is true in the reference "
                     "evaluator and false in ONNX Runtime");
  DataType mask = cx.version() < 10 ? x.type() : DataType::Bool;
  return llvm::SmallVector<Elements, 1>{
      x, cx.needsResult(1)
             ? cast(Elements::splat<bool>({}, true), mask).expand(x.shape())
             : Elements()};
}

namespace onnxfold {
void registerDropout(KernelRegistry &registry) {
  registry.add("Dropout", {1, 6, 7, 10, 12, 13, 22}, foldDropout)
      .ignoresValue(1);
}
} // namespace onnxfold
