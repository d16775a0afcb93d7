//===- Concat.cpp - Constant kernel of tensor.concat --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tensors one after the other along a dimension.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"

using namespace onnxfold;

static FoldResult foldTensorConcat(FoldContext &cx) {
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    parts.push_back(cx.input(i));
  return ops::concat(parts, cx.integer("dim").value_or(0));
}

namespace onnxfold::upstream {
void registerTensorConcat(KernelRegistry &registry) {
  registry.add("concat", {1}, foldTensorConcat);
}
} // namespace onnxfold::upstream
