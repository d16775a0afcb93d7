//===- ScatterElements.cpp - Constant kernel of onnx.ScatterElements ------===//
//
// A copy with updates[i][j] written at [indices[i][j]][j] for axis 0. Spec:
// onnx ScatterElements, versions 11, 13, 16 (reduction: add, mul), 18 (min,
// max). Reductions go in row-major order of the updates. Indices out of range,
// and elements written twice without a reduction, are errors of the model:
// kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Indices.h"

using namespace onnxfold;

static FoldResult foldScatterElements(FoldContext &cx) {
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
  if (std::optional<Reason> outside = checkIndices(indices, x.dim(axis.value)))
    return *outside;
  if (*reduction == ScatterReduction::None)
    if (auto repeated = firstRepeatedElement(x, indices, axis.value))
      return repeatedIndex(*repeated, indices.shape());
  return scatterElements(x, indices, updates, axis.value, *reduction);
}

namespace onnxfold {
void registerScatterElements(KernelRegistry &registry) {
  registry.add("ScatterElements", {11, 13, 16, 18}, foldScatterElements);
}
} // namespace onnxfold
