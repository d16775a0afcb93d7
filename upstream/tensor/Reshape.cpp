//===- Reshape.cpp - Constant kernel of tensor.reshape ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The same elements in row-major order in the shape that an operand has.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"

using namespace onnxfold;

static FoldResult foldTensorReshape(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape shape(cx.intsOf(1));
  std::optional<int64_t> count = checkedNumElements(shape);
  if (count != x.size())
    return undefined("the shape " + toString(shape) + " has not " +
                     llvm::Twine(x.size()) + " elements");
  return x.reshape(shape);
}

namespace onnxfold::upstream {
void registerTensorReshape(KernelRegistry &registry) {
  registry.add("reshape", {1}, foldTensorReshape);
}
} // namespace onnxfold::upstream
