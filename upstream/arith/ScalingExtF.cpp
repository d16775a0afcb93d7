//===- ScalingExtF.cpp - Constant kernel of arith.scaling_extf ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * scale, both widened to the type of the result, where the product is rounded.
// A scale that is no power of two is kept (support/Scales.h).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/Scales.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithScalingExtF(FoldContext &cx) {
  DataType type = cx.resultType();
  if (!isFloat(type))
    return Elements();
  ReasonOr<Elements> scale = scaleAs(cx.input(1), type);
  if (!scale)
    return scale.reason();
  Elements x = ops::cast(cx.input(0), type);
  Elements product = ops::zip(computable(x), computable(*scale),
                              [](auto a, auto b) { return a * b; });
  FoldResult result = rounded(product, type);
  return result ? withFlags(cx, result.values()[0].tensor) : result;
}

namespace onnxfold::upstream {
void registerArithScalingExtF(KernelRegistry &registry) {
  registry.add("scaling_extf", {1}, foldArithScalingExtF);
}
} // namespace onnxfold::upstream
