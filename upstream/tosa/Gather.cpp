//===- Gather.cpp - Constant kernel of tosa.gather -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y[n, w, c] = values[n, indices[n, w], c]. Indices outside are undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaGather(FoldContext &cx) {
  const Elements &values = cx.input(0);
  Elements indices = toInt64(cx.input(1));
  if (values.rank() != 3 || indices.rank() != 2 ||
      values.dim(0) != indices.dim(0))
    return invalid("the shapes do not fit");
  if (Reason wrong = checkIndices(indices, values.dim(1)))
    return wrong;
  return ops::gatherND(values, indices.unsqueeze({2}), /*batchDims=*/1);
}

namespace onnxfold::upstream {
void registerTosaGather(KernelRegistry &registry) {
  registry.add("gather", {1}, foldTosaGather);
}
} // namespace onnxfold::upstream
