//===- ConvTranspose.cpp - Constant kernel of onnx.ConvTranspose ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The transpose of Conv: each element of x times a filter, added where the
// filter stands, plus a bias. Spec: onnx ConvTranspose, versions 1, 11, 22.
// With output_shape, `pads` is ignored. Where the output is larger than what is
// computed, the text divides a negative number by two: taken where that leaves
// the beginning as it is, however it is rounded; else kept.
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldConvTranspose(FoldContext &cx) {
  const Elements &x = cx.input(0), &w = cx.input(1);
  Elements bias = cx.hasInput(2) ? cx.input(2) : Elements();
  if (w.type() != x.type() || (bias && bias.type() != x.type()))
    return invalid("inputs have different element types");
  ReasonOr<ConvolutionPlan> plan = planTransposed(cx, x, w);
  if (!plan)
    return plan.reason();
  if (auto wrong = checkBias(cx, 2, *plan))
    return wrong;
  return roundedOnce({x, w, bias}, [&](auto e) {
    Elements y = convolveTransposed(cast(e[0], DataType::Float64),
                                    cast(e[1], DataType::Float64),
                                    plan->windows, plan->groups);
    return addBias(y, e[2]);
  });
}

namespace onnxfold {
void registerConvTranspose(KernelRegistry &registry) {
  registry.add("ConvTranspose", {1, 11, 22}, foldConvTranspose);
}
} // namespace onnxfold
