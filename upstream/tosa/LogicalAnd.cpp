//===- LogicalAnd.cpp - Constant kernel of tosa.logical_and --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a & b, of bools.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaLogicalAnd(FoldContext &cx) {
  return zipInBits(cx.input(0), cx.input(1),
                   [](auto a, auto b) { return a & b; });
}

namespace onnxfold::upstream {
void registerTosaLogicalAnd(KernelRegistry &registry) {
  registry.add("logical_and", {1}, foldTosaLogicalAnd);
}
} // namespace onnxfold::upstream
