//===- ScatterKernels.cpp - What Scatter and ScatterElements share --------===//

#include "onnxfold/onnx/kernels/support/ScatterKernels.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Indices.h"

using namespace onnxfold;
using namespace onnxfold::ops;

FoldResult onnxfold::foldScatterElements(FoldContext &cx) {
  const Elements &x = cx.input(0), &indices = cx.input(1);
  const Elements &updates = cx.input(2);
  std::optional<ScatterReduction> reduction = scatterReductionOf(cx);
  if (!reduction)
    return unknownReduction(cx);
  Axis axis = axisOf(cx, 0, x.rank());
  if (axis.wrong)
    return *axis.wrong;
  if (std::optional<Reason> wrong = checkUpdates(updates, indices.shape()))
    return *wrong;
  if (std::optional<Reason> larger = checkExtent(indices, x, axis.value))
    return *larger;
  if (cx.version() < 11)
    if (std::optional<Reason> negative = checkNotNegative(indices))
      return *negative;
  if (std::optional<Reason> outside = checkIndices(indices, x.dim(axis.value)))
    return *outside;
  if (*reduction == ScatterReduction::None)
    if (auto repeated = firstRepeatedElement(x, indices, axis.value))
      return repeatedIndex(*repeated, indices.shape());
  return scatterElements(x, indices, updates, axis.value, *reduction);
}
