//===- PRelu.cpp - Constant kernel of onnx.PRelu --------------------------===//
//
// slope * x below 0, x from there on. Spec: onnx PRelu, versions 1, 6, 7 (slope
// broadcasts), 9 (integers), 16 (bfloat16). Integers wrap.
// Before version 7 the text does not say how a slope per channel lies: those of
// one element and of x's shape are taken, others kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Elementwise.h"

using namespace onnxfold;

static FoldResult foldPRelu(FoldContext &cx) {
  if (std::optional<Reason> mismatch = checkSameType(cx))
    return *mismatch;
  const Elements &x = cx.input(0), &slope = cx.input(1);
  Shape shape(x.shape());
  bool fits = cx.version() >= 7
                  ? broadcastShapes(shape, slope.shape()) == shape
                  : slope.size() == 1 || slope.shape() == x.shape();
  if (!fits)
    return invalid("slope has shape " + toString(slope.shape()) +
                   ", which does not broadcast to " + toString(x.shape()));
  Elements scale = slope.size() == 1 ? slope.reshape({}) : slope;
  return zip(x, scale, [](auto v, auto factor) {
    return v < 0 ? multiply(v, factor) : v;
  });
}

namespace onnxfold {
void registerPRelu(KernelRegistry &registry) {
  registry.add("PRelu", {1, 6, 7, 9, 16}, foldPRelu);
}
} // namespace onnxfold
