//===- MulF.cpp - Constant kernel of arith.mulf -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Products.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMulF(FoldContext &cx) {
  return zipFloats(cx, [](auto a, auto b) { return a * b; });
}

namespace onnxfold::upstream {
void registerArithMulF(KernelRegistry &registry) {
  registry.add("mulf", {1}, foldArithMulF);
}
} // namespace onnxfold::upstream
