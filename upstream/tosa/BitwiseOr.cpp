//===- BitwiseOr.cpp - Constant kernel of tosa.bitwise_or ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a | b, bit by bit.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaBitwiseOr(FoldContext &cx) {
  return zipInBits(cx.input(0), cx.input(1),
                   [](auto a, auto b) { return a | b; });
}

namespace onnxfold::upstream {
void registerTosaBitwiseOr(KernelRegistry &registry) {
  registry.add("bitwise_or", {1}, foldTosaBitwiseOr);
}
} // namespace onnxfold::upstream
