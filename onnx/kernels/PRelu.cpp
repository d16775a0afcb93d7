//===- PRelu.cpp - Constant kernel of onnx.PRelu --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// slope * x below 0, x from there on. Spec: onnx PRelu, versions 1, 6, 7 (slope
// broadcasts), 9 (integers), 16 (bfloat16). Integers wrap.
// Before version 7 the slope has one element, the shape of x, or one element
// for each channel, which is axis 1: the text only speaks of channels, ONNX's
// tests (pytorch-converted, PReLU_*_multiparam) say how they lie.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// The slope in a shape that broadcasts to x's by the rules of version 7.
static std::optional<Elements> alignedSlope(FoldContext &cx) {
  const Elements &slope = cx.input(1);
  Shape shape(cx.input(0).shape());
  if (cx.version() >= 7 ? broadcastShapes(shape, slope.shape()) == shape
                        : slope.shape() == ShapeRef(shape))
    return slope;
  if (cx.version() >= 7)
    return std::nullopt;
  if (slope.size() == 1)
    return slope.reshape({});
  if (shape.size() < 2 || slope.shape() != ShapeRef(shape).slice(1, 1))
    return std::nullopt;
  Shape channels(shape.size() - 1, 1);
  channels[0] = shape[1];
  return slope.reshape(channels);
}

static FoldResult foldPRelu(FoldContext &cx) {
  if (Reason mismatch = checkSameType(cx))
    return mismatch;
  const Elements &x = cx.input(0);
  std::optional<Elements> slope = alignedSlope(cx);
  if (!slope)
    return invalid("slope has shape " + toString(cx.input(1).shape()) +
                   ", which does not broadcast to " + toString(x.shape()));
  return zip(x, *slope, [](auto v, auto factor) {
    return v < 0 ? multiply(v, factor) : v;
  });
}

namespace onnxfold {
void registerPRelu(KernelRegistry &registry) {
  registry.add("PRelu", {1, 6, 7, 9, 16}, foldPRelu);
}
} // namespace onnxfold
