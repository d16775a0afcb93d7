//===- Gather.cpp - Constant kernel of onnx.Gather ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Slices of an axis by their indices. Spec: onnx Gather, versions 1, 11
// (negative indices), 13. An index that is out of range is an error of the
// model: kept. A program takes negative indices at each version, as ONNX
// Runtime and the reference evaluator do.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Indices.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGather(FoldContext &cx) {
  const Elements &x = cx.input(0), &indices = cx.input(1);
  ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
  if (!axis)
    return axis.reason();
  if (Reason outside = checkIndices(indices, x.dim(*axis)))
    return outside;
  if (cx.version() < 11 && !mustDecide(cx))
    if (Reason negative = checkNotNegative(indices))
      return negative;
  Shape shape(x.shape().take_front(*axis));
  shape.append(indices.shape().begin(), indices.shape().end());
  shape.append(x.shape().begin() + *axis + 1, x.shape().end());
  if (Reason large = cx.checkResult(x.type(), shape))
    return large;
  return gather(x, indices, *axis);
}

namespace onnxfold {
void registerGather(KernelRegistry &registry) {
  registry.add("Gather", {1, 11, 13}, foldGather).movesSymbols(0);
}
} // namespace onnxfold
