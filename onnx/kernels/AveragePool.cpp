//===- AveragePool.cpp - Constant kernel of onnx.AveragePool --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The mean of the elements that each window meets; with count_include_pad (from
// version 7) padding counts as elements of value 0. Spec: onnx AveragePool,
// versions 1, 7, 10 (ceil_mode), 11, 19 (dilations), 22. A window of nothing
// but what does not count has no mean: kept.
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Pooling.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// What to divide by. Windows that end behind the padding without ceil_mode are
/// those that programs cut off, as ONNX Runtime does (Windows.cpp): it counts
/// their whole kernels before version 19.
static Elements divisors(FoldContext &cx, const SlidingWindows &w,
                         bool withPads) {
  bool up = cx.integer("ceil_mode").value_or(0) != 0;
  bool isWhole = false;
  for (size_t d = 0; d < w.rank(); ++d) {
    int64_t padded = w.padsBegin[d] + w.image[d] + w.padsEnd[d];
    isWhole |= (w.kernel[d] - 1) * w.dilations[d] + 1 > padded;
  }
  if (isWhole && withPads && !up && cx.version() < 19)
    return Elements::splat<double>(w.positions, numElements(w.kernel));
  return windowCounts(w, withPads);
}

static FoldResult foldAveragePool(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<SlidingWindows> windows = readWindows(cx, x);
  if (!windows)
    return windows.reason();
  const SlidingWindows &w = *windows;
  bool withPads = cx.integer("count_include_pad").value_or(0) != 0;
  Shape shape = imageShape(x.dim(0), x.dim(1), w.positions);
  if (auto limit = checkWindows(cx, x.type(), shape, w, 1))
    return limit;
  if (x.size() != 0 && w.hasEmptyWindow(withPads))
    return undefined("a window meets nothing but padding");
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  return roundedOnce(x, [&](auto e) {
    return zipAs<double, double, double>(
        windowSums(e[0], w), divisors(cx, w, withPads),
        [](double sum, double count) { return sum / count; });
  });
}

namespace onnxfold {
void registerAveragePool(KernelRegistry &registry) {
  registry.add("AveragePool", {1, 7, 10, 11, 19, 22}, foldAveragePool);
}
} // namespace onnxfold
