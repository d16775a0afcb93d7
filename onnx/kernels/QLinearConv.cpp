//===- QLinearConv.cpp - Constant kernel of onnx.QLinearConv --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Convolution of quantised tensors: sums of (x - x_zero) * (w - w_zero) + bias
// in i32, times x_scale * w_scale / y_scale, rounded half to even, plus y_zero,
// saturated. Scale and zero point of w: one or one for each filter. Spec: onnx
// QLinearConv, version 10.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Places numbers of filters along the channels of the result.
static Elements byChannel(const Elements &scale, int64_t rank) {
  return alongAxis(scale, 1, rank);
}

static FoldResult foldQLinearConv(FoldContext &cx) {
  const Elements &x = cx.input(0), &w = cx.input(3);
  if (!is8Bit(x) || !is8Bit(w) || !is8Bit(cx.input(7)))
    return Elements();
  ReasonOr<ConvolutionPlan> plan = planConvolution(cx, x, w, DataType::Int32);
  if (!plan)
    return plan.reason();
  ReasonOr<Elements> scaleX = readParameter(cx, 1, x, -1);
  ReasonOr<Elements> zeroX = readParameter(cx, 2, x, -1);
  ReasonOr<Elements> scaleW = readParameter(cx, 4, w, 0);
  ReasonOr<Elements> zeroW = readParameter(cx, 5, w, 0);
  ReasonOr<Elements> scaleY = readParameter(cx, 6, x, -1);
  ReasonOr<Elements> zeroY = readParameter(cx, 7, x, -1);
  for (const Reason &wrong : {scaleX.reason(), zeroX.reason(), scaleW.reason(),
                              zeroW.reason(), scaleY.reason(), zeroY.reason()})
    if (wrong)
      return wrong;
  if (scaleW->size() != 1 && scaleW->size() != w.dim(0))
    return invalid("the scale of the weights has shape " +
                   toString(cx.input(4).shape()) +
                   ", expected one or one for each filter");
  if (Reason wrong = checkBias(cx, 8, *plan))
    return wrong;
  Elements sums = addBias(convolve(centred(x, *zeroX), centred(w, *zeroW),
                                   plan->windows, plan->groups),
                          cx.hasInput(8) ? cx.input(8) : Elements());
  return requantized(cast(wrapped(sums), DataType::Float64), *scaleX,
                     byChannel(*scaleW, x.rank()), *scaleY, *zeroY);
}

namespace onnxfold {
void registerQLinearConv(KernelRegistry &registry) {
  registry.add("QLinearConv", {10}, foldQLinearConv);
}
} // namespace onnxfold
