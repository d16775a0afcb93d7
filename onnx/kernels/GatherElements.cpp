//===- GatherElements.cpp - Constant kernel of onnx.GatherElements --------===//
// SPDX-License-Identifier: Apache-2.0
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
  ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
  if (!axis)
    return axis.reason();
  if (Reason larger = checkExtent(indices, x, *axis))
    return larger;
  if (Reason outside = checkIndices(indices, x.dim(*axis)))
    return outside;
  if (Reason much = cx.checkWork(double(indices.size()), unitsOfFunction))
    return much;
  return gatherElements(x, indices, *axis);
}

namespace onnxfold {
void registerGatherElements(KernelRegistry &registry) {
  registry.add("GatherElements", {11, 13}, foldGatherElements).movesSymbols(0);
}
} // namespace onnxfold
