//===- RMSNormalization.cpp - Constant kernel of onnx.RMSNormalization ----===//
// SPDX-License-Identifier: Apache-2.0
//
// X / sqrt(mean(X^2) + epsilon) * scale, with the mean over all dimensions from
// `axis` on. Spec: onnx RMSNormalization, version 23. The text gives the result
// the type of scale, type inference that of X: where they differ it is kept.
// Direct, more accurate than the body: in double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldRMSNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkFloats(cx, /*mixed=*/true))
    return wrong;
  if (cx.input(1).type() != x.type())
    return undefined("input #0 has element type " + name(x.type()) +
                     ", the scale " + name(cx.input(1).type()) +
                     ", and which one the result has is not clear");
  if (Reason wrong = checkStashType(cx, {DataType::Float32, DataType::BFloat16,
                                         DataType::Float16, DataType::Float64}))
    return wrong;
  ReasonOr<Shape> axes = axesFromAttribute(cx);
  if (!axes)
    return axes.reason();
  if (Reason wrong = checkBroadcastsToFirst(cx, 1))
    return wrong;
  if (x.size() == 0)
    return x;
  Elements wide = x.unrounded();
  Elements meanSquare =
      reduce(mapAs<double, double>(wide, [](double v) { return v * v; }), *axes,
             /*keepDims=*/true, Reduction::Mean);
  Elements y = dividedBy(wide, rootOf(meanSquare, epsilonOf(cx)));
  return roundedResult(cx, scaledBy(y, unroundedInput(cx, 1)));
}

namespace onnxfold {
void registerRMSNormalization(KernelRegistry &registry) {
  registry.add("RMSNormalization", {23}, foldRMSNormalization);
}
} // namespace onnxfold
