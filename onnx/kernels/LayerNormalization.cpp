//===- LayerNormalization.cpp - Constant kernel of onnx.LayerNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// (X - mean) / sqrt(variance + epsilon) * Scale + B, with the moments over all
// dimensions from `axis` on; on request also the mean, and one over the root,
// in the type `stash_type`. Spec: onnx LayerNormalization, version 17.
// Direct, more accurate than the body: in double with a variance that does not
// cancel, each result rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;

static FoldResult foldLayerNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkFloats(cx))
    return wrong;
  bool needsMoments = cx.needsResult(1) || cx.needsResult(2);
  // In double, it is of no effect on Y.
  bool needsStashType = needsMoments || !mustDecide(cx);
  if (Reason wrong =
          checkStashType(cx, {DataType::Float32, DataType::BFloat16});
      wrong && needsStashType)
    return wrong;
  ReasonOr<Shape> axes = axesFromAttribute(cx);
  if (!axes)
    return axes.reason();
  for (unsigned i : {1, 2})
    if (Reason wrong = checkBroadcastsToFirst(cx, i))
      return wrong;
  DataType stash = needsMoments ? DataType(cx.integer("stash_type").value_or(1))
                                : DataType::Float32;
  Shape reduced = reducedShape(x.shape(), *axes, /*keepDims=*/true);
  if (x.size() == 0 && !needsMoments)
    return x;
  if (Reason limit = cx.checkResult(stash, reduced))
    return limit;
  if (x.size() == 0 && numElements(reduced) != 0)
    return undefined("input #0 has shape " + toString(x.shape()) +
                     ", and the mean of no elements is undefined");
  Moments m = momentsOf(x, *axes);
  Elements inverse = dividedBy(Elements::splat<double>({}, 1),
                               rootOf(m.variance, epsilonOf(cx)));
  Elements y = scaledBy(scaledBy(m.centred, inverse), unroundedInput(cx, 1));
  auto stashed = [&](unsigned i, const Elements &v) {
    return cx.needsResult(i) ? roundedResult(cx, v, stash) : Elements();
  };
  return llvm::SmallVector<Elements, 1>{
      roundedResult(cx, shiftedBy(y, unroundedInput(cx, 2))),
      stashed(1, m.mean), stashed(2, inverse)};
}

namespace onnxfold {
void registerLayerNormalization(KernelRegistry &registry) {
  registry.add("LayerNormalization", {17}, foldLayerNormalization)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
