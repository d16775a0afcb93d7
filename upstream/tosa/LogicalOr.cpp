//===- LogicalOr.cpp - Constant kernel of tosa.logical_or ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a | b, of bools.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaLogicalOr(FoldContext &cx) {
  return zipInBits(cx.input(0), cx.input(1),
                   [](auto a, auto b) { return a | b; });
}

namespace onnxfold::upstream {
void registerTosaLogicalOr(KernelRegistry &registry) {
  registry.add("logical_or", {1}, foldTosaLogicalOr);
}
} // namespace onnxfold::upstream
