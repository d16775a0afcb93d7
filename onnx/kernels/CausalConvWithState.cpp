//===- CausalConvWithState.cpp - Kernel of onnx.CausalConvWithState -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each channel's convolution with a kernel of its own over the present and the
// past, which `past_state` continues (0 if it is left out), then a bias, then
// perhaps x * sigmoid(x). The second result is the past of what comes next.
// Spec: onnx CausalConvWithState, version 27. Direct: in double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/onnx/kernels/support/Swish.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A reason if an input is neither left out nor of this type and shape.
static Reason checkInput(FoldContext &cx, unsigned input, ShapeRef shape) {
  DataType type = cx.input(0).type();
  if (!cx.hasInput(input) ||
      (cx.input(input).type() == type && cx.input(input).shape() == shape))
    return {};
  return invalid("input #" + llvm::Twine(input) + " is " +
                 name(cx.input(input).type()) +
                 toString(cx.input(input).shape()) + ", expected " +
                 name(type) + toString(shape));
}

static FoldResult foldCausalConvWithState(FoldContext &cx) {
  const Elements &x = cx.input(0), &w = cx.input(1);
  std::string activation = cx.string("activation").value_or("none");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return invalid("attribute 'activation' is '" + activation +
                   "', expected 'none', 'silu' or 'swish'");
  if (x.rank() != 3 || w.rank() != 3 || w.dim(2) < 1)
    return invalid("the input has shape " + toString(x.shape()) +
                   ", the weights " + toString(w.shape()));
  int64_t batch = x.dim(0), channels = x.dim(1), length = x.dim(2);
  int64_t taps = w.dim(2), total;
  if (llvm::AddOverflow(length, taps, total))
    return invalid("the input and its past are too long to count");
  Shape pastShape = {batch, channels, taps - 1};
  if (auto wrong = checkInput(cx, 1, {channels, 1, taps}))
    return wrong;
  if (auto wrong = checkInput(cx, 2, {channels}))
    return wrong;
  if (auto wrong = checkInput(cx, 3, pastShape))
    return wrong;
  for (const Shape &shape : {pastShape, Shape(x.shape())})
    if (auto limit = cx.checkResult(DataType::Float64, shape))
      return limit;
  if (auto limit = cx.checkWork(double(x.size()) * double(taps)))
    return limit;
  Elements past = cx.hasInput(3)
                      ? cx.input(3)
                      : Elements::splat(x.type(), pastShape, WideNum());
  Elements all = concat({past, x}, 2);
  Elements state = all.slice(2, length, taps - 1);
  Elements bias = cx.hasInput(2) ? cx.input(2) : Elements();
  Elements y = x;
  if (x.size() != 0)
    y = roundedOnce({all, w, bias}, [&](auto e) {
      SlidingWindows windows;
      windows.image = {length + taps - 1};
      windows.kernel = {taps};
      windows.positions = {length};
      windows.strides = windows.dilations = {1};
      windows.padsBegin = windows.padsEnd = {0};
      Elements sum = addBias(convolve(cast(e[0], DataType::Float64),
                                      cast(e[1], DataType::Float64), windows,
                                      /*groups=*/channels),
                             e[2]);
      return activation == "none" ? sum : swish(sum, 1);
    });
  return llvm::SmallVector<Elements, 1>{y, state};
}

namespace onnxfold {
void registerCausalConvWithState(KernelRegistry &registry) {
  registry.add("CausalConvWithState", {27}, foldCausalConvWithState);
}
} // namespace onnxfold
