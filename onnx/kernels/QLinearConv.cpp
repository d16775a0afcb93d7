//===- QLinearConv.cpp - Constant kernel of onnx.QLinearConv --------------===//
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

/// What belongs to a filter along the channels of the result.
static Elements byChannel(const Elements &scale, int64_t rank) {
  return alongAxis(scale, 1, rank);
}

static FoldResult foldQLinearConv(FoldContext &cx) {
  const Elements &x = cx.input(0), &w = cx.input(3);
  if (!is8Bit(x) || !is8Bit(w) || !is8Bit(cx.input(7)))
    return Elements();
  ConvolutionPlan plan = planConvolution(cx, x, w, DataType::Int32);
  if (plan.wrong)
    return *plan.wrong;
  Parameter scaleX = readParameter(cx, 1, x, -1);
  Parameter zeroX = readParameter(cx, 2, x, -1);
  Parameter scaleW = readParameter(cx, 4, w, 0);
  Parameter zeroW = readParameter(cx, 5, w, 0);
  Parameter scaleY = readParameter(cx, 6, x, -1);
  Parameter zeroY = readParameter(cx, 7, x, -1);
  for (const Parameter &p : {scaleX, zeroX, scaleW, zeroW, scaleY, zeroY})
    if (p.wrong)
      return *p.wrong;
  if (scaleW.value.size() != 1 && scaleW.value.size() != w.dim(0))
    return invalid("the scale of the weights has shape " +
                   toString(cx.input(4).shape()) +
                   ", expected one or one for each filter");
  if (auto wrong = checkBias(cx, 8, plan))
    return *wrong;
  Elements sums =
      addBias(convolve(centred(x, zeroX.value), centred(w, zeroW.value),
                       plan.windows, plan.groups),
              cx.hasInput(8) ? cx.input(8) : Elements());
  return requantized(cast(wrapped(sums), DataType::Float64), scaleX.value,
                     byChannel(scaleW.value, x.rank()), scaleY.value,
                     zeroY.value);
}

namespace onnxfold {
void registerQLinearConv(KernelRegistry &registry) {
  registry.add("QLinearConv", {10}, foldQLinearConv);
}
} // namespace onnxfold
