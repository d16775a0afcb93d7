//===- ScatterKernels.cpp - What Scatter and ScatterElements share --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/ScatterKernels.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Indices.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

FoldResult onnxfold::foldScatterElements(FoldContext &cx) {
  const Elements &x = cx.input(0), &indices = cx.input(1);
  const Elements &updates = cx.input(2);
  std::optional<ScatterReduction> reduction = scatterReductionOf(cx);
  if (!reduction)
    return unknownReduction(cx);
  ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
  if (!axis)
    return axis.reason();
  if (Reason wrong = checkUpdates(updates, indices.shape()))
    return wrong;
  if (Reason larger = checkExtent(indices, x, *axis))
    return larger;
  if (cx.version() < 11)
    if (Reason negative = checkNotNegative(indices))
      return negative;
  if (Reason outside = checkIndices(indices, x.dim(*axis)))
    return outside;
  if (*reduction == ScatterReduction::None && !mustDecide(cx))
    if (auto repeated = firstRepeatedElement(x, indices, *axis))
      return repeatedIndex(*repeated, indices.shape());
  if (Reason nan = checkComparable(cx, *reduction))
    return nan;
  return scatterElements(x, indices, updates, *axis, *reduction);
}
