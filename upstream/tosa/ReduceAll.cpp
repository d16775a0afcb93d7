//===- ReduceAll.cpp - Constant kernel of tosa.reduce_all ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whether all of the bools along an axis are true.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReduceAll(FoldContext &cx) {
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (cx.input(0).type() != DataType::Bool)
    return Elements();
  return ops::all(cx.input(0), {*axis}, /*keepDims=*/true);
}

namespace onnxfold::upstream {
void registerTosaReduceAll(KernelRegistry &registry) {
  registry.add("reduce_all", {1}, foldTosaReduceAll);
}
} // namespace onnxfold::upstream
