//===- XOrI.cpp - Constant kernel of arith.xori -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bitwise exclusive or.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithXOrI(FoldContext &cx) {
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a ^ b; });
}

namespace onnxfold::upstream {
void registerArithXOrI(KernelRegistry &registry) {
  registry.add("xori", {1}, foldArithXOrI);
}
} // namespace onnxfold::upstream
