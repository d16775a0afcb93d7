//===- LRN.cpp - Constant kernel of onnx.LRN ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x / (bias + alpha / size * s)^beta, where s is the sum of squares over the
// channels from floor((size - 1) / 2) before to ceil((size - 1) / 2) after the
// element's own. Spec: onnx LRN, versions 1, 13 (bfloat16). In double, rounded
// once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Pooling.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// `size` channels, in images of [channels, elements of a channel]. None is
/// farther away than there are channels.
static SlidingWindows channelWindows(int64_t size, int64_t channels,
                                     int64_t elements) {
  int64_t before = std::min((size - 1) / 2, channels - 1);
  int64_t after = std::min(size / 2, channels - 1);
  SlidingWindows w;
  w.image = w.positions = {channels, elements};
  w.kernel = {before + after + 1, 1};
  w.strides = w.dilations = {1, 1};
  w.padsBegin = {before, 0};
  w.padsEnd = {after, 0};
  return w;
}

static FoldResult foldLRN(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkFloats(cx))
    return wrong;
  int64_t size = cx.integer("size").value_or(0);
  if (size < 1 || x.rank() < 2)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", attribute 'size' is " + llvm::Twine(size));
  if (x.size() == 0)
    return x;
  SlidingWindows windows =
      channelWindows(size, x.dim(1), numElements(x.shape().drop_front(2)));
  if (Reason limit = cx.checkWork(double(x.size()) * windows.kernel[0]))
    return limit;
  double bias = cx.real("bias").value_or(1);
  double factor = cx.real("alpha").value_or(1e-4f) / double(size);
  double beta = cx.real("beta").value_or(0.75f);
  Elements wide = x.unrounded();
  Elements squares = mapAs<double, double>(
      wide.reshape({x.dim(0), 1, x.dim(1), windows.image[1]}),
      [](double v) { return v * v; });
  Elements base =
      mapAs<double, double>(windowSums(squares, windows).reshape(x.shape()),
                            [=](double sum) { return bias + factor * sum; });
  Elements power = zipWide(base, Elements::splat<double>({}, beta), wide::pow);
  return roundedResult(cx, dividedBy(wide, power));
}

namespace onnxfold {
void registerLRN(KernelRegistry &registry) {
  registry.add("LRN", {1, 13}, foldLRN);
}
} // namespace onnxfold
