//===- Conv.cpp - Constant kernel of onnx.Conv ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Cross-correlation of x with filters, plus a bias, in any number of spatial
// dimensions and groups. Spec: onnx Conv, versions 1, 11, 22.
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldConv(FoldContext &cx) {
  const Elements &x = cx.input(0), &w = cx.input(1);
  Elements bias = cx.hasInput(2) ? cx.input(2) : Elements();
  if (w.type() != x.type() || (bias && bias.type() != x.type()))
    return invalid("inputs have different element types");
  ReasonOr<ConvolutionPlan> plan = planConvolution(cx, x, w, x.type());
  if (!plan)
    return plan.reason();
  if (auto wrong = checkBias(cx, 2, *plan))
    return wrong;
  return roundedOnce({x, w, bias}, [&](auto e) {
    Elements y =
        convolve(cast(e[0], DataType::Float64), cast(e[1], DataType::Float64),
                 plan->windows, plan->groups);
    return addBias(y, e[2]);
  });
}

namespace onnxfold {
void registerConv(KernelRegistry &registry) {
  registry.add("Conv", {1, 11, 22}, foldConv);
}
} // namespace onnxfold
