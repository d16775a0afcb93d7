//===- LogicalXor.cpp - Constant kernel of tosa.logical_xor --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a ^ b, of bools.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaLogicalXor(FoldContext &cx) {
  return zipInBits(cx.input(0), cx.input(1),
                   [](auto a, auto b) { return a ^ b; });
}

namespace onnxfold::upstream {
void registerTosaLogicalXor(KernelRegistry &registry) {
  registry.add("logical_xor", {1}, foldTosaLogicalXor);
}
} // namespace onnxfold::upstream
