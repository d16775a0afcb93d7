//===- NonMaxSuppression.cpp - Constant kernel of onnx.NonMaxSuppression --===//
// SPDX-License-Identifier: Apache-2.0
//
// The best boxes of each class that do not overlap better ones. Spec: onnx
// NonMaxSuppression, versions 10, 11. Of equal scores the lower index comes
// first, and boxes without an area overlap nothing, as the reference evaluator
// has it. Intersection over union is computed in double and rounded to f32.
// Kept: NaN, infinite boxes, and a score that equals score_threshold: by the
// text the box is selected, but no runtime selects it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/NonMaxSuppression.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static Reason checkInputs(FoldContext &cx, const Elements &boxes,
                          const Elements &scores) {
  if (boxes.rank() != 3 || scores.rank() != 3 || boxes.dim(2) != 4 ||
      boxes.dim(0) != scores.dim(0) || boxes.dim(1) != scores.dim(2))
    return invalid("the boxes have shape " + toString(boxes.shape()) +
                   ", the scores " + toString(scores.shape()));
  const DataType types[] = {DataType::Float32, DataType::Float32,
                            DataType::Int64, DataType::Float32,
                            DataType::Float32};
  for (unsigned i = 0; i < 5; ++i) {
    if (!cx.hasInput(i))
      continue;
    if (cx.input(i).type() != types[i])
      return invalid("input #" + llvm::Twine(i) + " has type " +
                     name(cx.input(i).type()) + ", expected " + name(types[i]));
    if (i >= 2)
      if (auto several = checkOneElement(cx, i))
        return several;
  }
  return {};
}

static FoldResult foldNonMaxSuppression(FoldContext &cx) {
  if (auto wrong = checkInputs(cx, cx.input(0), cx.input(1)))
    return wrong;
  Elements boxes = cx.input(0).unrounded(), scores = cx.input(1).unrounded();
  NonMaxSuppressionOptions options;
  if (cx.hasInput(2))
    options.most = std::max<int64_t>(cx.intsOf(2)[0], 0);
  if (cx.hasInput(3))
    options.iouThreshold = cx.input(3).value<float>();
  if (cx.hasInput(4))
    options.scoreThreshold = cx.input(4).value<float>();
  int64_t format = cx.integer("center_point_box").value_or(0);
  options.centred = format == 1;
  if (format != 0 && format != 1)
    return invalid("attribute 'center_point_box' is " + llvm::Twine(format));
  if (!(options.iouThreshold >= 0 && options.iouThreshold <= 1))
    return invalid("iou_threshold is " + std::to_string(options.iouThreshold));
  if (firstWhere<double>(boxes, [](double v) { return !std::isfinite(v); }))
    return undefined("a box is not finite");
  double threshold = options.scoreThreshold.value_or(-HUGE_VAL);
  if (firstWhere<double>(scores, [](double v) { return isNan(v); }) ||
      isNan(threshold))
    return undefined("a score is NaN");
  if (options.scoreThreshold)
    if (firstWhere<double>(scores, [&](double v) { return v == threshold; }))
      return undefined("a score is equal to score_threshold, " +
                       std::to_string(threshold) +
                       ": it counts in the text alone");
  if (scores.size() == 0) // there may be very many classes
    return Elements::fromValues<int64_t>({0, 3}, {});
  int64_t most = std::min(options.most, scores.dim(2));
  if (auto limit = cx.checkResult(DataType::Int64,
                                  {scores.dim(0), scores.dim(1), most, 3}))
    return limit;
  constexpr double unitsOfPair = 20; // of boxes whose overlap is computed
  if (auto limit = cx.checkWork(
          double(scores.size()) * std::max<int64_t>(most, 1), unitsOfPair))
    return limit;
  return nonMaxSuppression(boxes, scores, options);
}

namespace onnxfold {
void registerNonMaxSuppression(KernelRegistry &registry) {
  registry.add("NonMaxSuppression", {10, 11}, foldNonMaxSuppression);
}
} // namespace onnxfold
