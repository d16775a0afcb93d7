//===- LayerNormalization.cpp - Constant kernel of onnx.LayerNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// (X - mean) / sqrt(variance + epsilon) * Scale + B, with the moments over all
// dimensions from `axis` on; on request also the mean, and one over the root,
// in the type `stash_type`, f32 in programs if it is 0 (ONNX Runtime). Spec: onnx
// LayerNormalization, version 17.
// Direct, more accurate than the body: in double with a variance that does not
// cancel, each result rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;

/// The type of the moments. Y is computed in double, so that only they need it.
static ReasonOr<DataType> stashType(FoldContext &cx, bool needsMoments) {
  if (mustDecide(cx) && (!needsMoments || cx.integer("stash_type") == 0))
    return DataType::Float32;
  if (Reason wrong =
          checkStashType(cx, {DataType::Float32, DataType::BFloat16}))
    return wrong;
  return needsMoments ? DataType(cx.integer("stash_type").value_or(1))
                      : DataType::Float32;
}

static FoldResult foldLayerNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkFloats(cx))
    return wrong;
  bool needsMoments = cx.needsResult(1) || cx.needsResult(2);
  ReasonOr<DataType> stash = stashType(cx, needsMoments);
  if (!stash)
    return stash.reason();
  ReasonOr<Shape> axes = axesFromAttribute(cx);
  if (!axes)
    return axes.reason();
  for (unsigned i : {1, 2})
    if (Reason wrong = checkBroadcastsToFirst(cx, i))
      return wrong;
  Shape reduced = reducedShape(x.shape(), *axes, /*keepDims=*/true);
  if (x.size() == 0 && !needsMoments)
    return x;
  if (Reason limit = cx.checkResult(*stash, reduced))
    return limit;
  if (x.size() == 0 && numElements(reduced) != 0)
    return undefined("input #0 has shape " + toString(x.shape()) +
                     ", and the mean of no elements is undefined");
  Moments m = momentsOf(x, *axes);
  Elements inverse = dividedBy(Elements::splat<double>({}, 1),
                               rootOf(m.variance, epsilonOf(cx)));
  Elements y = scaledBy(scaledBy(m.centred, inverse), unroundedInput(cx, 1));
  auto stashed = [&](unsigned i, const Elements &v) {
    return cx.needsResult(i) ? roundedResult(cx, v, *stash) : Elements();
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
