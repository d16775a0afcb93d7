//===- Upsample.cpp - Constant kernel of onnx.Upsample --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Resizing to floor(dimension * scale), scale >= 1. Spec: onnx Upsample,
// versions 1 (height_scale, width_scale, mode bilinear), 7 (scales: an
// attribute), 9 (an input), 10 (the same, deprecated). The text does not say
// how coordinates are counted: x / scale, as in ONNX Runtime; nearest rounds
// down.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/ResizeKernels.h"

using namespace onnxfold;

static llvm::SmallVector<float> scalesOf(FoldContext &cx) {
  if (cx.version() == 1)
    return {1, 1, cx.real("height_scale").value_or(0),
            cx.real("width_scale").value_or(0)};
  if (cx.version() < 9)
    return cx.reals("scales").value_or(llvm::SmallVector<float>());
  std::vector<float> values = cx.input(1).values<float>();
  return llvm::SmallVector<float>(values.begin(), values.end());
}

static FoldResult foldUpsample(FoldContext &cx) {
  const Elements &x = cx.input(0);
  std::string mode = cx.string("mode").value_or("nearest");
  std::string linear = cx.version() == 1 ? "bilinear" : "linear";
  if (mode != "nearest" && mode != linear)
    return invalid("attribute 'mode' is '" + mode + "', expected nearest or " +
                   linear);
  if (cx.version() >= 9 &&
      (cx.input(1).type() != DataType::Float32 || cx.input(1).rank() != 1))
    return invalid("the scales have type " + name(cx.input(1).type()) +
                   " and shape " + toString(cx.input(1).shape()));
  llvm::SmallVector<float> scales = scalesOf(cx);
  for (float scale : scales)
    if (!(scale >= 1))
      return invalid("a scale is " + std::to_string(scale) +
                     ", expected 1 or more");
  ReasonOr<ResizedAxes> axes = scaledAxes(cx, x, firstAxes(x.rank()), scales);
  if (!axes)
    return axes.reason();
  ResizeOptions options = {.coordinates = Coordinates::Asymmetric,
                           .nearest = NearestMode::Floor};
  if (mode == linear)
    options.mode = Interpolation::Linear;
  return resize(cx, x, options, *axes);
}

namespace onnxfold {
void registerUpsample(KernelRegistry &registry) {
  registry.add("Upsample", {1, 7, 9, 10}, foldUpsample);
}
} // namespace onnxfold
