//===- Reshape.cpp - Constant kernel of tosa.reshape ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The same elements in another shape, in which one size may be -1: what is left over.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReshape(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape shape(cx.intsOf(1));
  auto wrong = [&] {
    return invalid("the shape " + toString(cx.intsOf(1)) + " has not " +
                   llvm::Twine(x.size()) + " elements");
  };
  if (llvm::count(shape, -1) > 1)
    return wrong();
  if (auto open = llvm::find(shape, -1); open != shape.end()) {
    *open = 1;
    std::optional<int64_t> rest = checkedNumElements(shape);
    if (!rest || *rest == 0)
      return wrong();
    *open = x.size() / *rest;
  }
  if (checkedNumElements(shape) != x.size())
    return wrong();
  return x.reshape(shape);
}

namespace onnxfold::upstream {
void registerTosaReshape(KernelRegistry &registry) {
  registry.add("reshape", {1}, foldTosaReshape);
}
} // namespace onnxfold::upstream
