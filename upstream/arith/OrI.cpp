//===- OrI.cpp - Constant kernel of arith.ori ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bitwise or.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithOrI(FoldContext &cx) {
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a | b; });
}

namespace onnxfold::upstream {
void registerArithOrI(KernelRegistry &registry) {
  registry.add("ori", {1}, foldArithOrI);
}
} // namespace onnxfold::upstream
