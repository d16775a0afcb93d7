//===- Argmax.cpp - Constant kernel of tosa.argmax -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The index of the largest element along an axis, of equal ones the first. NaN is
// the largest, or with nan_mode IGNORE smaller than all.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaArgmax(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ArgMaxOp>(cx.operation());
  Elements x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (x.dim(*axis) == 0)
    return invalid("the axis is empty");
  if (isFloat(x.type()) &&
      op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE)
    x = ops::mapFloat(x, [](auto a) {
      return a != a ? -std::numeric_limits<decltype(a)>::infinity() : a;
    });
  Elements indices = ops::argReduce(x, *axis, /*keepDims=*/false,
                                    /*largest=*/true, /*selectLast=*/false);
  return indices ? ops::cast(indices, cx.resultType()) : indices;
}

namespace onnxfold::upstream {
void registerTosaArgmax(KernelRegistry &registry) {
  registry.add("argmax", {1}, foldTosaArgmax);
}
} // namespace onnxfold::upstream
