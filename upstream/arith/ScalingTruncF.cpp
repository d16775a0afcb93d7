//===- ScalingTruncF.cpp - Constant kernel of arith.scaling_truncf ------===//
// SPDX-License-Identifier: Apache-2.0
//
// x / scale in the type of x, then rounded to the type of the result as the mode
// says or to nearest even. A scale that is no power of two is kept
// (support/Scales.h).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/Scales.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithScalingTruncF(FoldContext &cx) {
  auto op = mlir::cast<mlir::arith::ScalingTruncFOp>(cx.operation());
  const Elements &x = cx.input(0);
  if (!isFloat(x.type()))
    return Elements();
  ReasonOr<Elements> scale = scaleAs(cx.input(1), x.type());
  if (!scale)
    return scale.reason();
  FoldResult quotient = rounded(ops::zip(computable(x), computable(*scale),
                                         [](auto a, auto b) { return a / b; }),
                                x.type());
  if (!quotient)
    return quotient;
  auto mode = op.getRoundingmode();
  FoldResult result =
      rounded(quotient.values()[0].tensor, cx.resultType(),
              mode ? Rounding(unsigned(*mode)) : Rounding::NearestEven);
  return result ? withFlags(cx, result.values()[0].tensor) : result;
}

namespace onnxfold::upstream {
void registerArithScalingTruncF(KernelRegistry &registry) {
  registry.add("scaling_truncf", {1}, foldArithScalingTruncF);
}
} // namespace onnxfold::upstream
