//===- AddF.cpp - Constant kernel of arith.addf -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithAddF(FoldContext &cx) {
  return zipFloats(cx, [](auto a, auto b) { return a + b; });
}

namespace onnxfold::upstream {
void registerArithAddF(KernelRegistry &registry) {
  registry.add("addf", {1}, foldArithAddF);
}
} // namespace onnxfold::upstream
