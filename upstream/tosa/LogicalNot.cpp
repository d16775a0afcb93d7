//===- LogicalNot.cpp - Constant kernel of tosa.logical_not --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = not x, of bools.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaLogicalNot(FoldContext &cx) {
  if (cx.input(0).type() != DataType::Bool)
    return Elements();
  return ops::mapAs<bool, bool>(cx.input(0), [](bool a) { return !a; });
}

namespace onnxfold::upstream {
void registerTosaLogicalNot(KernelRegistry &registry) {
  registry.add("logical_not", {1}, foldTosaLogicalNot);
}
} // namespace onnxfold::upstream
