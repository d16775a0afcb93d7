//===- ReduceSum.cpp - Constant kernel of tosa.reduce_sum ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sum along an axis: of f32 and narrower in double, rounded once. A sum of
// integers that does not fit is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReduceSum(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (isFloat(x.type()))
    return ops::reduce(x, {*axis}, /*keepDims=*/true, ops::Reduction::Sum);
  if (!isSmallInteger(x.type()))
    return Elements();
  return narrowed(ops::reduce(toInt64(x), {*axis}, true, ops::Reduction::Sum),
                  x.type());
}

namespace onnxfold::upstream {
void registerTosaReduceSum(KernelRegistry &registry) {
  registry.add("reduce_sum", {1}, foldTosaReduceSum);
}
} // namespace onnxfold::upstream
