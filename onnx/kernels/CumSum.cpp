//===- CumSum.cpp - Constant kernel of onnx.CumSum ------------------------===//
//
// Running sums along an axis, which is an input. Spec: onnx CumSum, versions
// 11, 14. Each is rounded once; integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/Reduce.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;

static FoldResult foldCumSum(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (std::optional<Reason> several = checkOneElement(cx, 1))
    return *several;
  Axes axis = normalizedAxes(cx.intsOf(1), x.rank());
  if (axis.wrong)
    return *axis.wrong;
  bool exclusive = cx.integer("exclusive").value_or(0) != 0;
  bool reverse = cx.integer("reverse").value_or(0) != 0;
  return cumulativeSum(x, axis.list[0], exclusive, reverse);
}

namespace onnxfold {
void registerCumSum(KernelRegistry &registry) {
  registry.add("CumSum", {11, 14}, foldCumSum);
}
} // namespace onnxfold
