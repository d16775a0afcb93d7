//===- AndI.cpp - Constant kernel of arith.andi -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bitwise and.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithAndI(FoldContext &cx) {
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a & b; });
}

namespace onnxfold::upstream {
void registerArithAndI(KernelRegistry &registry) {
  registry.add("andi", {1}, foldArithAndI);
}
} // namespace onnxfold::upstream
