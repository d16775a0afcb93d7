//===- GatherElements.cpp - Constant kernel of onnx.GatherElements --------===//
//
// result[i][j] = x[indices[i][j]][j] for axis 0. Spec: onnx GatherElements,
// versions 11, 13. An index that is out of range is an error of the model:
// kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Indices.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGatherElements(FoldContext &cx) {
  const Elements &x = cx.input(0), &indices = cx.input(1);
  Axis axis = axisOf(cx, 0, x.rank());
  if (axis.wrong)
    return *axis.wrong;
  if (std::optional<Reason> larger = checkExtent(indices, x, axis.value))
    return *larger;
  if (std::optional<Reason> outside = checkIndices(indices, x.dim(axis.value)))
    return *outside;
  return gatherElements(x, indices, axis.value);
}

namespace onnxfold {
void registerGatherElements(KernelRegistry &registry) {
  registry.add("GatherElements", {11, 13}, foldGatherElements).movesSymbols(0);
}
} // namespace onnxfold
