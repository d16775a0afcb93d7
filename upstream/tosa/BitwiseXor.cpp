//===- BitwiseXor.cpp - Constant kernel of tosa.bitwise_xor --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a ^ b, bit by bit.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaBitwiseXor(FoldContext &cx) {
  return zipInBits(cx.input(0), cx.input(1),
                   [](auto a, auto b) { return a ^ b; });
}

namespace onnxfold::upstream {
void registerTosaBitwiseXor(KernelRegistry &registry) {
  registry.add("bitwise_xor", {1}, foldTosaBitwiseXor);
}
} // namespace onnxfold::upstream
