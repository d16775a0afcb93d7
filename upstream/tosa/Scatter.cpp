//===- Scatter.cpp - Constant kernel of tosa.scatter ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A copy of the values with y[n, indices[n, w], c] = input[n, w, c]. Indices outside,
// and equal ones in one batch, are undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaScatter(FoldContext &cx) {
  const Elements &values = cx.input(0), &updates = cx.input(2);
  Elements indices = toInt64(cx.input(1));
  if (values.rank() != 3 || indices.rank() != 2 || updates.rank() != 3 ||
      updates.dim(0) != indices.dim(0) || updates.dim(1) != indices.dim(1) ||
      updates.dim(0) != values.dim(0) || updates.dim(2) != values.dim(2))
    return invalid("the shapes do not fit");
  if (Reason wrong = checkIndices(indices, values.dim(1)))
    return wrong;
  Shape each = {indices.dim(0), indices.dim(1), 1};
  Elements tuples =
      ops::concat({ops::iota(each, 0), indices.unsqueeze({2})}, 2);
  if (auto twice = ops::firstRepeatedSlice(values, tuples))
    return undefined("index " +
                     toString(ops::indexOf(*twice, indices.shape())) +
                     " is there twice");
  return ops::scatterND(values, tuples, updates);
}

namespace onnxfold::upstream {
void registerTosaScatter(KernelRegistry &registry) {
  registry.add("scatter", {1}, foldTosaScatter);
}
} // namespace onnxfold::upstream
