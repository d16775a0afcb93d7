//===- Expand.cpp - Constant kernel of onnx.Expand ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast to the common shape of the input and the one that is given
// (numpy's rules, both ways), as a view. Spec: onnx Expand, versions 8, 13.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"

using namespace onnxfold;

static FoldResult foldExpand(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape target(cx.intsOf(1));
  bool valid = llvm::all_of(target, [](int64_t d) { return d >= 0; });
  std::optional<Shape> shape = broadcastShapes(x.shape(), target);
  if (!valid || !shape)
    return invalid("shapes " + toString(x.shape()) + " and " +
                   toString(target) + " do not broadcast");
  if (Reason large = cx.checkResult(x.type(), *shape))
    return large;
  return x.expand(*shape);
}

namespace onnxfold {
void registerExpand(KernelRegistry &registry) {
  registry.add("Expand", {8, 13}, foldExpand).movesSymbols(0);
}
} // namespace onnxfold
