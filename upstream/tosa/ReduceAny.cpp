//===- ReduceAny.cpp - Constant kernel of tosa.reduce_any ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whether any of the bools along an axis is true.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReduceAny(FoldContext &cx) {
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (cx.input(0).type() != DataType::Bool)
    return Elements();
  return ops::any(cx.input(0), {*axis}, /*keepDims=*/true);
}

namespace onnxfold::upstream {
void registerTosaReduceAny(KernelRegistry &registry) {
  registry.add("reduce_any", {1}, foldTosaReduceAny);
}
} // namespace onnxfold::upstream
