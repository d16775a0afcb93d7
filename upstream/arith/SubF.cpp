//===- SubF.cpp - Constant kernel of arith.subf -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Differences.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithSubF(FoldContext &cx) {
  return zipFloats(cx, [](auto a, auto b) { return a - b; });
}

namespace onnxfold::upstream {
void registerArithSubF(KernelRegistry &registry) {
  registry.add("subf", {1}, foldArithSubF);
}
} // namespace onnxfold::upstream
