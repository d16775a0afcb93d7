//===- Rank.cpp - Constant kernel of tensor.rank ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The number of dimensions of a tensor whose elements do not matter.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorRank(FoldContext &cx) {
  auto shape = cx.inputShape(0);
  if (!shape)
    return notFolded(ReasonCode::InputNotConstant, "the rank is not known");
  return Elements::fromValues<int64_t>({}, {int64_t(shape->size())});
}

namespace onnxfold::upstream {
void registerTensorRank(KernelRegistry &registry) {
  registry.add("rank", {1}, foldTensorRank).ignoresValue(0);
}
} // namespace onnxfold::upstream
