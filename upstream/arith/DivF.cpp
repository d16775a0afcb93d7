//===- DivF.cpp - Constant kernel of arith.divf -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Quotients; x / 0 is infinite or NaN, as IEEE 754 has it.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithDivF(FoldContext &cx) {
  return zipFloats(cx, [](auto a, auto b) { return a / b; });
}

namespace onnxfold::upstream {
void registerArithDivF(KernelRegistry &registry) {
  registry.add("divf", {1}, foldArithDivF);
}
} // namespace onnxfold::upstream
