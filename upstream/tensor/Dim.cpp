//===- Dim.cpp - Constant kernel of tensor.dim --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The size of a dimension of a tensor whose elements do not matter.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorDim(FoldContext &cx) {
  auto shape = cx.inputShape(0);
  int64_t dimension = upstream::indexOf(cx, 1);
  if (!shape)
    return notFolded(ReasonCode::InputNotConstant, "the rank is not known");
  if (dimension < 0 || dimension >= int64_t(shape->size()))
    return undefined("dimension " + llvm::Twine(dimension) + " of " +
                     llvm::Twine(shape->size()));
  std::optional<int64_t> size = cx.exprs().valueOf((*shape)[dimension]);
  if (!size)
    return notFolded(ReasonCode::InputNotConstant,
                     "dimension " + llvm::Twine(dimension) + " is not known");
  return Elements::fromValues<int64_t>({}, {*size});
}

namespace onnxfold::upstream {
void registerTensorDim(KernelRegistry &registry) {
  registry.add("dim", {1}, foldTensorDim).ignoresValue(0);
}
} // namespace onnxfold::upstream
