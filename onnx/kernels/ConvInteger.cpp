//===- ConvInteger.cpp - Constant kernel of onnx.ConvInteger --------------===//
// SPDX-License-Identifier: Apache-2.0
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
  ReasonOr<ConvolutionPlan> plan = planConvolution(cx, x, w, DataType::Int32);
  if (!plan)
    return plan.reason();
  ReasonOr<Elements> zeroX = readParameter(cx, 2, x, /*axis=*/-1);
  ReasonOr<Elements> zeroW = readParameter(cx, 3, w, /*axis=*/0);
  for (const Reason &wrong : {zeroX.reason(), zeroW.reason()})
    if (wrong)
      return wrong;
  return wrapped(convolve(centred(x, *zeroX), centred(w, *zeroW), plan->windows,
                          plan->groups));
}

namespace onnxfold {
void registerConvInteger(KernelRegistry &registry) {
  registry.add("ConvInteger", {10}, foldConvInteger);
}
} // namespace onnxfold
