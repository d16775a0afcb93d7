//===- ScatterND.cpp - Constant kernel of onnx.ScatterND ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A copy with elements or slices written where tuples of indices (the last
// dimension of the second input) say. Spec: onnx ScatterND, versions 11, 13,
// 16 (reduction: add, mul), 18 (min, max). Reductions are in row-major order of
// the updates. Indices out of range, and slices written twice without a
// reduction, are errors of the model: kept. In a run the last write stays, as
// in runtimes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Indices.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldScatterND(FoldContext &cx) {
  const Elements &x = cx.input(0), &indices = cx.input(1);
  const Elements &updates = cx.input(2);
  std::optional<ScatterReduction> reduction = scatterReductionOf(cx);
  if (!reduction)
    return unknownReduction(cx);
  if (cx.isSymbolic() && *reduction != ScatterReduction::None)
    return notFolded(ReasonCode::InputNotConstant,
                     "inputs are known in part only");
  if (indices.rank() == 0 || indices.shape().back() < 1 ||
      indices.shape().back() > x.rank())
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", the indices " + toString(indices.shape()));
  ShapeRef tuples = indices.shape().drop_back();
  Shape expected(tuples);
  expected.append(x.shape().begin() + indices.shape().back(), x.shape().end());
  if (Reason wrong = checkUpdates(updates, expected))
    return wrong;
  if (Reason outside = checkIndexTuples(indices, x.shape()))
    return outside;
  if (*reduction == ScatterReduction::None && !mustDecide(cx))
    if (auto repeated = firstRepeatedSlice(x, indices))
      return repeatedIndex(*repeated, tuples);
  if (Reason nan = checkComparable(cx, *reduction))
    return nan;
  return scatterND(x, indices, updates, *reduction);
}

namespace onnxfold {
void registerScatterND(KernelRegistry &registry) {
  registry.add("ScatterND", {11, 13, 16, 18}, foldScatterND)
      .movesSymbols(0)
      .movesSymbols(2)
      .costs(unitsOfReading);
}
} // namespace onnxfold
