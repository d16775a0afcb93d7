//===- SimplifiedLayerNormalization.cpp - Kernel of com.microsoft.SimplifiedLayerNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// X / sqrt(mean(X^2) + epsilon) * scale, the mean over all dimensions from
// `axis` on; on request also one over the root, in the type `stash_type`. ONNX
// Runtime has it in the domain of the standard, in every opset. In double, each
// result rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMicrosoftSimplifiedLayerNormalization(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{floats}, {floats}}))
    return wrong;
  if (Reason wrong = checkStashType(
          cx, {DataType::Float32, DataType::Float64, DataType::BFloat16}))
    return wrong;
  ReasonOr<Shape> axes = axesFromAttribute(cx);
  if (!axes)
    return axes.reason();
  if (Reason wrong = checkBroadcastsToFirst(cx, 1))
    return wrong;
  Elements x = unroundedInput(cx, 0);
  if (x.size() == 0)
    return undefined("input #0 has no elements, and so no mean");
  Elements squares =
      reduce(mapAs<double, double>(x, [](double v) { return v * v; }), *axes,
             /*keepDims=*/true, Reduction::Mean);
  Elements inverse =
      dividedBy(Elements::splat<double>({}, 1), rootOf(squares, epsilonOf(cx)));
  auto stash = DataType(cx.integer("stash_type").value_or(1));
  Elements y = scaledBy(scaledBy(x, inverse), unroundedInput(cx, 1));
  llvm::SmallVector<Elements, 1> results = {
      roundedResult(cx, y, cx.input(1).type())};
  if (cx.numResults() > 1)
    results.push_back(cx.needsResult(1) ? roundedResult(cx, inverse, stash)
                                        : Elements());
  return results;
}

namespace onnxfold {
void registerMicrosoftSimplifiedLayerNormalization(KernelRegistry &registry) {
  registry
      .add("microsoft.SimplifiedLayerNormalization", {1},
           foldMicrosoftSimplifiedLayerNormalization)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
