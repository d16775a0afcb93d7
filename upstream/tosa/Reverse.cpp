//===- Reverse.cpp - Constant kernel of tosa.reverse ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The elements along an axis from the last one to the first.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReverse(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  Shape starts(x.rank(), 0), steps(x.rank(), 1);
  if (x.dim(*axis) > 0)
    starts[*axis] = x.dim(*axis) - 1, steps[*axis] = -1;
  return x.slice(starts, x.shape(), steps);
}

namespace onnxfold::upstream {
void registerTosaReverse(KernelRegistry &registry) {
  registry.add("reverse", {1}, foldTosaReverse);
}
} // namespace onnxfold::upstream
