//===- ConvInteger.cpp - Constant kernel of onnx.ConvInteger --------------===//
//
// Convolution of integers of 8 bits less their zero points (of w: one or one
// for each filter), to i32 that wraps; padding is the zero point. Spec: onnx
// ConvInteger, version 10. Computed in double, which is exact.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldConvInteger(FoldContext &cx) {
  const Elements &x = cx.input(0), &w = cx.input(1);
  if (!is8Bit(x) || !is8Bit(w))
    return Elements();
  ConvolutionPlan plan = planConvolution(cx, x, w, DataType::Int32);
  if (plan.wrong)
    return *plan.wrong;
  Parameter zeroX = readParameter(cx, 2, x, /*axis=*/-1);
  Parameter zeroW = readParameter(cx, 3, w, /*axis=*/0);
  for (const Parameter &zero : {zeroX, zeroW})
    if (zero.wrong)
      return *zero.wrong;
  return wrapped(convolve(centred(x, zeroX.value), centred(w, zeroW.value),
                          plan.windows, plan.groups));
}

namespace onnxfold {
void registerConvInteger(KernelRegistry &registry) {
  registry.add("ConvInteger", {10}, foldConvInteger);
}
} // namespace onnxfold
