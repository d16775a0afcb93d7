//===- TopK.cpp - Constant kernel of onnx.TopK ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The k largest (or smallest) elements along an axis and their indices. Spec:
// onnx TopK, versions 1 (k: an attribute), 10 (an input), 11 (largest,
// sorted), 24. Of equal elements the lower index comes first. Sorted also
// where that is not asked for. With a NaN among them runtimes differ: kept. A k
// of 0 is invalid, but ONNX Runtime runs it, and so does a run.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldTopK(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx, -1, x.rank());
  if (!axis)
    return axis.reason();
  if (cx.version() >= 10)
    if (Reason several = checkOneElement(cx, 1))
      return several;
  int64_t k =
      cx.version() >= 10 ? cx.intsOf(1)[0] : cx.integer("k").value_or(0);
  if (k == 0 && mustDecide(cx)) {
    Shape none(x.shape());
    none[*axis] = 0;
    return llvm::SmallVector<Elements, 1>{
        x.slice(Shape(x.rank(), 0), none, Shape(x.rank(), 1)),
        Elements::splat<int64_t>(none, 0)};
  }
  if (k < 1 || k > x.dim(*axis))
    return invalid("k is " + llvm::Twine(k) + ", axis " + llvm::Twine(*axis) +
                   " has size " + llvm::Twine(x.dim(*axis)));
  bool isSorted = cx.version() < 11 || cx.integer("sorted").value_or(1) != 0;
  if (!isSorted && k > 1 && !mustDecide(cx))
    return undefined("attribute 'sorted' is 0, which leaves the order open");
  constexpr double unitsOfComparison = 25;
  double steps = double(x.size()) * llvm::Log2_64_Ceil(x.dim(*axis) + 2);
  if (Reason limit = cx.checkWork(steps, unitsOfComparison))
    return limit;
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  TopK best = topK(x, k, *axis, cx.integer("largest").value_or(1) != 0);
  return llvm::SmallVector<Elements, 1>{best.values, best.indices};
}

namespace onnxfold {
void registerTopK(KernelRegistry &registry) {
  registry.add("TopK", {1, 10, 11, 24}, foldTopK);
}
} // namespace onnxfold
